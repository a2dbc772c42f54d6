"""What refutes the published mixture is on record as refuted, and the Iris data are as printed."""

from fractions import Fraction as F

import pytest

from provedp.mechanisms.mixture.published.release import PublishedMixture
from provedp.verify.claims.mixture.instances.iris import exact_iris, iris_feature, standardised_iris
from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Verdict


@pytest.mark.parametrize("claim", PublishedMixture.refuted_by)
def test_counterexamples_are_refuted_claims(claim):
    assert registry.find(claim).verdict is Verdict.REFUTED


def test_iris_is_exact_and_standardised():
    data = standardised_iris()
    assert data.counts == (50, 50, 50)
    assert data.points.shape == (150, 4)
    for index in range(4):
        exact = iris_feature(index)
        assert exact.labels == data.labels
        assert (exact.points[:, 0] == exact_iris().points[:, index]).all()
        column = exact.points[:, 0].astype(float)
        scaled = (column - column.mean()) / column.std()
        assert data.points[:, index] == pytest.approx(scaled, abs=1e-12)
        assert {F(10) % x.denominator for x in exact.points[:, 0]} == {0}
    # The first flower of the table: 5.1, 3.5, 1.4, 0.2.
    assert [iris_feature(i).points[0, 0] for i in range(4)] == [
        F(51, 10),
        F(7, 2),
        F(7, 5),
        F(1, 5),
    ]
