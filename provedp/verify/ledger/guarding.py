"""Compiling a file of claims so that its comparisons are guarded."""

import ast
import types
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any

from provedp.verify.ledger import guards

ROOM = "provedp.verify.claims."
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
}
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}
# Names that give a float of sympy or mpmath, which arithmetic may cancel before it is compared.
FLOATING = ("Float", "N", "evalf", "n", "mpf", "mpc", "nfloat", "lambdify")
TEXT = ("str", "repr", "format")
# Names that make an exact number of what they are given.
EXACT = (
    *("int", "round", "floor", "ceil", "trunc", "from_float", "Decimal"),
    *("arb", "acb", "ball", "Q", "Fraction", "fmpq", "rational", "flint_rational"),
    *("Rational", "Integer", "sympify", "S", "nsimplify"),
)
NAMES = {
    "__compare__": guards.compare,
    "__chain__": guards.chain,
    "__truth__": guards.truth,
    "__exactly__": guards.exactly,
    "__arithmetic__": guards.arithmetic,
    "__method__": guards.method,
    "__text__": guards.text,
}


def compiled(source: bytes, path: str) -> types.CodeType:
    """Return the code of a file of claims with its comparisons guarded."""
    tree = Guarding().visit(ast.parse(source, path))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


class Guarding(ast.NodeTransformer):
    """Replaces comparisons, branches and exact conversions by guarded ones."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Guard a comparison; a chain keeps its order of evaluation."""
        self.generic_visit(node)
        signs = [SIGNS.get(type(sign)) for sign in node.ops]
        if None in signs:
            return node
        if len(signs) == 1:
            return _call(
                "__compare__", ast.Constant(signs[0]), node.left, node.comparators[0], at=node
            )
        listed = ast.Tuple([ast.Constant(sign) for sign in signs], ast.Load())
        return _call("__chain__", listed, node.left, *map(_later, node.comparators), at=node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Guard what makes a number exact, and what tells of balls."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in guards.WATCHED:
            name = ast.Constant(node.func.attr)
            node.func = _call("__method__", node.func.value, name, at=node.func)
        elif _last_name(node.func) in (*EXACT, *TEXT):
            guard = "__text__" if _last_name(node.func) in TEXT else "__exactly__"
            node.args = [
                part if isinstance(part, ast.Starred) else _call(guard, part, at=part)
                for part in node.args
            ]
        elif _last_name(node.func) in FLOATING:
            return _call("__exactly__", node, at=node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Guard arithmetic, in which a float can disappear."""
        self.generic_visit(node)
        sign = OPERATORS.get(type(node.op))
        if sign is None or isinstance(node.left, ast.Constant) and node.left.value.__class__ is str:
            return node
        return _call("__arithmetic__", ast.Constant(sign), node.left, node.right, at=node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        """Guard a number that is written into a text."""
        self.generic_visit(node)
        node.value = _call("__text__", node.value, at=node.value)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Guard what is matched with patterns."""
        self.generic_visit(node)
        node.subject = _call("__text__", node.subject, at=node.subject)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """Guard a branch."""
        return self._tested(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Guard a conditional expression."""
        return self._tested(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        """Guard a loop."""
        return self._tested(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Guard an assertion."""
        return self._tested(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Guard a negation."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = _call("__truth__", node.operand, at=node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Guard the parts of `and` and `or`."""
        self.generic_visit(node)
        node.values = [_call("__truth__", value, at=value) for value in node.values]
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Guard the conditions of a comprehension."""
        self.generic_visit(node)
        node.ifs = [_call("__truth__", test, at=test) for test in node.ifs]
        return node

    def _tested(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.test = _call("__truth__", node.test, at=node.test)
        return node  # type: ignore[no-any-return]


def _call(name: str, *arguments: ast.expr, at: ast.expr) -> ast.Call:
    call = ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
    return ast.copy_location(call, at)


def _later(operand: ast.expr) -> ast.expr:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, operand), operand)


def _last_name(callee: ast.expr) -> str:
    if isinstance(callee, ast.Attribute):
        return callee.attr
    return callee.id if isinstance(callee, ast.Name) else ""


class GuardedLoader(SourceFileLoader):
    """Loads a file of claims with guarded comparisons; nothing is cached beside it."""

    def get_code(self, fullname: str) -> types.CodeType:
        """Return the guarded code."""
        path = self.get_filename(fullname)
        return compiled(self.get_data(path), path)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the file, with the guards in reach."""
        vars(module).update(NAMES | guards.BUILTINS)
        super().exec_module(module)


class GuardedRoom(MetaPathFinder):
    """Finds the project's own files of claims."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return how a file of claims is loaded; nothing for all other modules."""
        if not fullname.startswith(ROOM):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = GuardedLoader(spec.loader.name, spec.loader.path)
        return spec
