"""Functions of signals by TensorFlow, and by NumPy where TensorFlow has none, for `npm run interop`.

Reads questions {"op", "dtype", "dims", "content", "numbers"} as JSON, one a line: an operand, its bytes as hex, and further arguments. The answer has
the dtype, the sizes and the bytes of the result.
"""

import json
import os
import sys

# Everything that libraries print goes to stderr, so that stdout contains only answers.
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
sys.dont_write_bytecode = True
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

signal = tf.signal


def complex_of(x):
    return tf.cast(x, tf.complex64 if x.dtype in (tf.float32, tf.complex64) else tf.complex128)


OPERATIONS = {
    "fft": lambda x: signal.fft(complex_of(x)),
    "ifft": lambda x: signal.ifft(complex_of(x)),
    "fft2d": lambda x: signal.fft2d(complex_of(x)),
    "ifft2d": lambda x: signal.ifft2d(complex_of(x)),
    "fftAxis0": lambda x: np.fft.fft(x.numpy(), axis=0).astype(complex_of(x).numpy().dtype),
    "fftOrtho": lambda x: np.fft.fft(x.numpy(), norm="ortho").astype(complex_of(x).numpy().dtype),
    "rfft": lambda x, n: signal.rfft(x, [n]),
    "irfft": lambda x, n: signal.irfft(signal.rfft(x), [n]),
    "rfft2d": lambda x, m, n: signal.rfft2d(x, [m, n]),
    "fftShift": lambda x: signal.fftshift(x),
    "ifftShift": lambda x: signal.ifftshift(x),
    "dct": lambda x, kind, n: signal.dct(x, type=kind, n=n),
    "dctOrtho": lambda x, kind: signal.dct(x, type=kind, norm="ortho"),
    "idct": lambda x, kind: signal.idct(x, type=kind),
    "stft": lambda x, length, step: signal.stft(x, length, step),
    "stftPadded": lambda x, length, step: signal.stft(x, length, step, pad_end=True),
    "inverseStft": lambda x, length, step: signal.inverse_stft(signal.stft(x, length, step), length, step, window_fn=signal.inverse_stft_window_fn(step)),
    "frame": lambda x, length, step: signal.frame(x, length, step, pad_end=True, pad_value=3),
    "overlapAndAdd": lambda x, step: signal.overlap_and_add(x, step),
    "hannWindow": lambda x, n: signal.hann_window(n, dtype=x.dtype),
    "hammingWindow": lambda x, n: signal.hamming_window(n, dtype=x.dtype),
    "kaiserWindow": lambda x, n, beta: signal.kaiser_window(n, beta, dtype=x.dtype),
    "vorbisWindow": lambda x, n: signal.vorbis_window(n, dtype=x.dtype),
    "kaiserBesselDerivedWindow": lambda x, n, beta: signal.kaiser_bessel_derived_window(n, beta, dtype=x.dtype),
    "mel": lambda x, bands, bins: signal.linear_to_mel_weight_matrix(bands, bins, dtype=x.dtype),
    "mfcc": lambda x: signal.mfccs_from_log_mel_spectrograms(x),
    "convolve": lambda x, m: np.convolve(x.numpy(), np.arange(1, m + 1, dtype=x.numpy().dtype)),
    "correlate": lambda x, m: np.correlate(x.numpy(), np.arange(1, m + 1, dtype=x.numpy().dtype), "full"),
    "fir": lambda x, m: np.convolve(x.numpy(), np.arange(1, m + 1, dtype=x.numpy().dtype))[: len(x)],
}


def answer(question):
    content = np.frombuffer(bytes.fromhex(question["content"]), question["dtype"]).reshape(question["dims"])
    result = np.asarray(OPERATIONS[question["op"]](tf.constant(content), *question["numbers"]))
    return {"dtype": result.dtype.name, "dims": list(result.shape), "content": np.ascontiguousarray(result).tobytes().hex()}


for line in sys.stdin:
    try:
        reply = {"ok": answer(json.loads(line))}
    except Exception as error:  # any refusal is an answer
        reply = {"error": f"{type(error).__name__}: {error}"[:300]}
    ANSWERS.write(json.dumps(reply) + "\n")
    ANSWERS.flush()
