"""The notebook, run from its first cell to its last."""

import os
from pathlib import Path

import nbclient
import nbformat

NOTEBOOK = Path(os.environ["TRACEWRIGHT_PAGES"]) / "notebooks" / "predictor.ipynb"


def test_the_notebook_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "clear the outputs before a commit"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    # For a reader, in the folder where the tests run.
    nbformat.write(notebook, "predictor.ipynb")
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 3
    last = outputs[-1]["data"]["text/plain"]
    assert "model only" in last and "WithStack" in last
