"""Checkpoints written and read by TensorFlow's own kernels, for checks-checkpoints.mjs. Files are in a folder that the client makes."""

import tensorflow as tf


def save(prefix, tensors):
    """Writes a checkpoint of version 2. `tensors` are tuples of a key as bytes, a slice as text or "", and a tf.Tensor."""
    tf.raw_ops.SaveV2(
        prefix=prefix,
        tensor_names=[key for key, _, _ in tensors],
        shape_and_slices=[text for _, text, _ in tensors],
        tensors=[tensor for _, _, tensor in tensors],
    )


def save_version_1(path, tensors):
    """Writes a checkpoint of version 1, as `save`."""
    tf.raw_ops.SaveSlices(
        filename=path,
        tensor_names=[key for key, _, _ in tensors],
        shapes_and_slices=[text for _, text, _ in tensors],
        data=[tensor for _, _, tensor in tensors],
    )


def merge(prefixes, prefix):
    """Merges checkpoints of version 2; their files are moved."""
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=prefixes, destination_prefix=prefix, delete_old_dirs=False)


def restore(prefix, wanted):
    """Returns tensors of a checkpoint of version 2. `wanted` are tuples of a key as bytes, a slice as text or "", and a tf.DType."""
    return tf.raw_ops.RestoreV2(
        prefix=prefix,
        tensor_names=[key for key, _, _ in wanted],
        shape_and_slices=[text for _, text, _ in wanted],
        dtypes=[dtype for _, _, dtype in wanted],
    )


def variants():
    """Returns variant tensors: a list of tensors as a scalar, and an empty one."""
    full = tf.raw_ops.TensorListFromTensor(tensor=tf.constant([[1.0, 2.0], [3.0, 4.0]]), element_shape=tf.constant([2]))
    empty = tf.raw_ops.EmptyTensorList(element_shape=tf.constant([], tf.int32), max_num_elements=3, element_dtype=tf.string)
    return [full, empty]
