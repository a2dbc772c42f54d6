from sympy.core import function as function
from sympy.core import relational as relational
