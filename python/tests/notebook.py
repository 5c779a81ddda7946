"""Runs the code of notebooks, cell after cell, and compares what they print with what they recorded; with --record it records that.

It needs no Jupyter: a notebook is JSON. The last expression of a cell is shown as Jupyter shows it, by LaTeX if it has that.
"""

import ast
import contextlib
import io
import json
import sys


def shown(value):
    if hasattr(value, "_repr_latex_"):
        return {"text/latex": value._repr_latex_(), "text/plain": repr(value)}
    return {"text/plain": repr(value)}


def outputs(source, names):
    """Runs one cell, and returns its outputs in the format of notebooks."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    found, printed, value = [], io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(last, "cell", "eval"), names)
    if printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {kind: text.splitlines(keepends=True) for kind, text in shown(value).items()}
        found.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return found


for path in [argument for argument in sys.argv[1:] if argument != "--record"]:
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    names = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells, f"{path} has no code"
    for number, cell in enumerate(cells, 1):
        found = outputs("".join(cell["source"]), names)
        if "--record" in sys.argv:
            cell["outputs"] = found
        elif found != cell["outputs"]:
            sys.exit(f"{path}: cell {number} gives\n{json.dumps(found, indent=1)}\nand recorded\n{json.dumps(cell['outputs'], indent=1)}")
    if "--record" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    print(f"{path}: {len(cells)} cells")
