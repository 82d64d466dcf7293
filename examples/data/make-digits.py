"""Writes digits.npy and digits-labels.npy, scikit-learn's copy of the 8x8 handwritten digits, with NumPy.

    pip install numpy==2.4.6 scikit-learn==1.9.1
    python make-digits.py

A pixel is 0 to 16: the number of dark dots in a 4x4 block of the original 32x32 bitmap. scikit-learn returns pixels as
float64; here they are stored as uint8.
"""
import pathlib

import numpy as np
from sklearn.datasets import load_digits

here = pathlib.Path(__file__).parent
digits = load_digits()
images = digits.images.astype(np.uint8)
labels = digits.target.astype(np.uint8)

assert images.shape == (1797, 8, 8) and (images == digits.images).all() and images.max() == 16
assert labels.shape == (1797,) and sorted(set(labels.tolist())) == list(range(10))

np.save(here / "digits.npy", images)
np.save(here / "digits-labels.npy", labels)
