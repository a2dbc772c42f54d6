"""A course in nine lessons: exercises, a grader that answers as a teacher would, and handouts.

>>> from provedp.course import grade
>>> reply = grade("counting-1", "25/52")
>>> reply.verdict, bool(reply)
('wrong', False)
>>> print(reply.text)
This is the least error for δ = 0.
Think: with probability δ the release may do what it likes. What would you have it do?
"""

from typing import TYPE_CHECKING

from provedp.lazy_names import lazy_names

if TYPE_CHECKING:
    from provedp.course.catalogue import LESSONS as LESSONS
    from provedp.course.catalogue import exercises as exercises
    from provedp.course.catalogue import find as find
    from provedp.course.exercise import Exercise as Exercise
    from provedp.course.exercise import Reply as Reply
    from provedp.course.grading import grade as grade
    from provedp.course.grading import hint as hint
    from provedp.course.lessons.mechanisms_to_audit import mechanism as mechanism
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
