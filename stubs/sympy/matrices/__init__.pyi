from sympy.matrices import exceptions as exceptions
