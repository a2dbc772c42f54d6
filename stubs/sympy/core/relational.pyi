from sympy import Relational as Relational
