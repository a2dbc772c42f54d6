"""Merging of points on a line, in exact arithmetic: by a radius, and by Ward's linkage."""

from fractions import Fraction

Group = tuple[int, ...]


def within_radius(points: list[Fraction], radius: Fraction) -> list[Group]:
    """Return the groups of the greedy rule: each unused point gathers the later unused near it."""
    left, groups = list(range(len(points))), list[Group]()
    while left:
        near = [i for i in left if abs(points[i] - points[left[0]]) <= radius]
        groups.append(tuple(near))
        left = [i for i in left if i not in near]
    return groups


def ward(points: list[Fraction], clusters: int) -> list[Group]:
    """Return the groups of agglomerative clustering: those of least linkage merge first."""
    groups: list[Group] = [(i,) for i in range(len(points))]
    while len(groups) > clusters:
        pairs = [(a, b) for i, a in enumerate(groups) for b in groups[i + 1 :]]
        first, second = min(pairs, key=lambda pair: linkage(points, *pair))
        groups = [group for group in groups if group not in (first, second)]
        groups.append(first + second)
    return groups


def linkage(points: list[Fraction], first: Group, second: Group) -> Fraction:
    """Return the Ward linkage |A||B|/(|A| + |B|) ‖a − b‖² of two groups."""
    gap = mean(points, first) - mean(points, second)
    sizes = len(first), len(second)
    return Fraction(sizes[0] * sizes[1], sum(sizes)) * gap * gap


def mean(points: list[Fraction], group: Group) -> Fraction:
    """Return the mean of a group."""
    return sum((points[i] for i in group), start=Fraction(0)) / len(group)


def pure_basins(groups: list[Group], basins: list[int]) -> int:
    """Return how many basins have a group that is all of their points."""
    wanted = {tuple(i for i, own in enumerate(basins) if own == basin) for basin in basins}
    return len(wanted & {tuple(sorted(group)) for group in groups})
