"""What a photograph does to all its pieces, told from what is a piece's own."""

from __future__ import annotations

import numpy as np

from vision.learn.prototypes import within_class_variance

PHOTOGRAPHS = np.repeat(np.arange(300), 8)


def test_a_shared_drift_is_told_from_what_is_a_pieces_own() -> None:
    """Own scatter becomes 1 in every direction; one direction alone is shared, nine times it."""
    random = np.random.default_rng(1)
    own = random.normal(0, [1.0, 2.0, 0.5], (len(PHOTOGRAPHS), 3))
    drift = random.normal(0, 6.0, 300)[PHOTOGRAPHS]
    astray = own + np.stack([np.zeros_like(drift), drift, np.zeros_like(drift)], axis=1)
    seen = within_class_variance(astray, PHOTOGRAPHS)
    np.testing.assert_allclose((own @ seen.whitening).var(axis=0), 1, atol=0.3)
    assert seen.shared[:2].max() < 0.1
    assert 7 < seen.shared[2] < 11


def test_without_any_drift_nothing_is_shared() -> None:
    """What the means of few pieces owe to chance is no drift."""
    astray = np.random.default_rng(2).normal(size=(len(PHOTOGRAPHS), 3))
    assert within_class_variance(astray, PHOTOGRAPHS).shared.max() < 0.1
