"""Metadata and files of the installed package."""

import importlib.metadata

import rowscape
from conftest import ROOT

FILES = ("LICENSE-APACHE", "LICENSE-MIT", "NOTICE")


def test_the_package_contains_its_licenses():
    installed = importlib.metadata.distribution("rowscape")
    assert installed.version == rowscape.__version__
    assert sorted(installed.metadata.get_all("License-File")) == sorted(FILES)
    within = {path.name: path for path in installed.files if path.parent.name == "licenses"}
    for name in FILES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert within[name].read_text(encoding="utf-8") == text
        # Copies, as the package may name no file outside its folder.
        assert (ROOT / "bindings" / "python" / name).read_text(encoding="utf-8") == text


def test_the_readme_names_the_oldest_rust():
    folder = ROOT / "bindings" / "python"
    oldest = {next(line for line in path.read_text().splitlines() if line.startswith("rust-version")) for path in (ROOT / "Cargo.toml", folder / "Cargo.toml")}
    assert len(oldest) == 1
    version = oldest.pop().split('"')[1]
    assert f"Rust {version} or later" in (folder / "README.md").read_text(encoding="utf-8")
