"""From package names to source files on disk.

In: nothing but the registries that the ordinary clients on this machine are set up for. Out: under the
work folder, `sources/REGISTRY/NAME-VERSION/…` with the files worth reading, and `packages.jsonl` with the
name, version, licence and home of each. A package whose licence does not permit it, or that an evaluation
is made of, is not kept. Run again, it goes on where it stopped.
"""

import argparse
import io
import json
import lzma
import os
import pathlib
import queue
import random
import re
import subprocess
import tarfile
import threading
import time
import urllib.error
import urllib.request
import zipfile

import held_out

EXTENSIONS = {
    "rs", "ts", "tsx", "mts", "js", "mjs", "cjs", "jsx", "py", "rb", "cs", "kt", "kts", "swift", "cc", "cpp",
    "cxx", "hpp", "hh", "h", "c", "go", "java", "php", "scala", "lua", "ex", "exs", "hs", "ml", "mli", "zig",
    "sh", "dart", "md", "rst", "adoc", "pl", "pm",
}  # fmt: skip
MOST_FILE = 200_000
MOST_FILES = 1500
MOST_PACKAGE = 16_000_000
MOST_ARCHIVE = 40_000_000
SKIPPED = re.compile(
    r"(^|/)(node_modules|vendor|third_?party|external|deps|bundled|\.git|dist|umd|__pycache__|debian|locale|i18n)/"
    r"|\.min\.js$|\.bundle\.js$|(^|/)(changelog|license|copying|authors|news)\b",
    re.IGNORECASE,
)
INSTALLED = re.compile(r"^usr/(share|lib)/(ruby/vendor_ruby|(rubygems-integration|ruby/gems)/[^/]+/gems/[^/]+|gocode/src|php)/")
PERMITTED = re.compile(
    r"\b(mit|apache|bsd|isc|zlib|unlicense|cc0|boost|bsl-1|psf|python-2|postgresql|ruby|artistic|mpl|expat|"
    r"0bsd|x11|ncsa|php|wtfpl|public[- ]domain|openssl|unicode)",
    re.IGNORECASE,
)


def fetch(url, accept="*/*"):
    """The bytes at an address, or nothing if it cannot be had."""
    asked = urllib.request.Request(url, headers={"Accept": accept, "User-Agent": "wherein training"})
    for wait in (1, 4, 15, None):
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return answer.read(MOST_ARCHIVE + 1)
        except urllib.error.HTTPError as error:
            if error.code == 404 or wait is None:
                return None
        except OSError:
            if wait is None:
                return None
        time.sleep(wait)


def members(archive):
    """Name and bytes of each file of a tar or zip archive."""
    if archive[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            for info in packed.infolist():
                if not info.is_dir() and info.file_size <= MOST_FILE:
                    yield info.filename, packed.read(info)
        return
    if archive.startswith(b"!<arch>\n"):
        archive = data_of(archive)
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:*") as packed:
        for info in packed:
            if info.isfile() and info.size <= MOST_FILE:
                yield info.name, packed.extractfile(info).read()


def data_of(package):
    """The files that a binary package of Debian installs, as a tar archive."""
    at = 8
    while at + 60 <= len(package):
        name, size = package[at : at + 16].strip(), int(package[at + 48 : at + 58])
        if name.startswith(b"data.tar"):
            return package[at + 60 : at + 60 + size]
        at += 60 + size + size % 2
    raise tarfile.TarError("no data in it")


def is_wanted(name):
    return name.rsplit(".", 1)[-1].lower() in EXTENSIONS and not SKIPPED.search(name)


def unpack(archive, folder):
    """Writes the files worth reading; says what licence and home the package's own files name."""
    said, count, size = [], 0, 0
    for name, content in members(archive):
        inner = INSTALLED.sub("", name.split("/", 1)[-1])
        if re.search(r"(^|/)(PKG-INFO|METADATA|Cargo\.toml|package\.json|LICEN[CS]E[^/]*|COPYING[^/]*|copyright)$", name):
            said.append(content.decode("utf-8", "replace")[:20_000])
        if not is_wanted(inner) or ".." in inner or count == MOST_FILES or size + len(content) > MOST_PACKAGE:
            continue
        path = folder / inner.lstrip("/")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:
            continue
        count, size = count + 1, size + len(content)
    return "\n".join(said), count


def licence_of(text):
    """A licence named in a package's own files that permits its use, if one is."""
    for pattern in (
        r'^license\s*=\s*"([^"]+)"', r'"license"\s*:\s*"([^"]+)"', r"^License(?:-Expression)?:\s*(.+)$",
        r"License :: OSI Approved :: (.+)$", r'"license"\s*:\s*\{[^}]*"type"\s*:\s*"([^"]+)"',
        r"^\s*(MIT License|Apache License|BSD [0-9]-Clause|ISC License|The MIT License)",
        r"(Permission is hereby granted, free of charge|Redistribution and use in source and binary forms)",
    ):  # fmt: skip
        found = re.search(pattern, text, re.MULTILINE)
        if found and (PERMITTED.search(found[1]) or found[1].startswith(("Permission", "Redistribution"))):
            return found[1].strip()[:60]
    return None


def home_of(text):
    found = re.search(r"(?:github|gitlab)\.com[/:]([\w.-]+/[\w.-]+)", text)
    return found[1].removesuffix(".git") if found else ""


# Each source yields (registry, name, version, function that brings the archive, what its list says of it).


def site_of_debian():
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(SITE)"], capture_output=True, text=True, check=True
    )
    return next(site for site in targets.stdout.splitlines() if site.rstrip("/").endswith("debian"))


def debian_list(suite, which):
    """The paragraphs of one of Debian's lists of packages."""
    packed = fetch(f"{site_of_debian()}/dists/{suite}/main/{which}.xz")
    for paragraph in lzma.decompress(packed).decode("utf-8", "replace").split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): *(.*(?:\n .*)*)", paragraph, re.MULTILINE))
        if "Package" in fields:
            yield fields


def debian_sources(suite):
    return debian_list(suite, "source/Sources")


def debs(wanted, suite):
    """Binary packages of languages that are installed as they are written."""
    site = site_of_debian()
    for fields in debian_list(suite, "binary-amd64/Packages"):
        name, url = fields["Package"], f"{site}/{fields['Filename']}"
        if wanted(name) and int(fields["Size"]) <= MOST_ARCHIVE:
            yield "debs", name, fields["Version"], (lambda url=url: fetch(url)), fields.get("Homepage", "")


def is_built_with(fields, tools):
    """Whether a source package needs one of these to be built, which tells the language it is written in."""
    needed = re.split(r"[\s,|(]+", fields.get("Build-Depends", "") + "," + fields.get("Build-Depends-Indep", ""))
    return not tools.isdisjoint(needed)


def debian(wanted, suite):
    site = site_of_debian()
    for fields in debian_sources(suite):
        name = fields["Package"]
        if not wanted(name, fields):
            continue
        files = re.findall(r"^ \w+ (\d+) (\S+\.orig\.tar\.\w+|\S+(?<!debian)\.tar\.\w+)$", fields["Files"], re.MULTILINE)
        files = [(int(size), file) for size, file in files if not file.endswith(".asc")]
        if not files or max(files)[0] > MOST_ARCHIVE:
            continue
        url = f"{site}/{fields['Directory']}/{max(files)[1]}"
        yield "debian", name, fields["Version"], (lambda url=url: fetch(url)), fields.get("Homepage", "")


def npm(names):
    registry = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, check=True)
    registry = registry.stdout.strip().rstrip("/")
    for name in names:

        def bring(name=name):
            listed = fetch(f"{registry}/{name.replace('/', '%2f')}/latest")
            return listed and fetch(json.loads(listed)["dist"]["tarball"])

        yield "npm", name, "latest", bring, ""


def pypi_site():
    from pip._internal.models.index import PyPI

    return PyPI.simple_url


def pypi_names():
    listed = fetch(f"{pypi_site()}/", "text/html").decode("utf-8", "replace")
    return re.findall(r'href="(?:/simple/)?([^"/]+)/"', listed)


def pypi(names):
    for name in names:

        def bring(name=name):
            listed = (fetch(f"{pypi_site()}/{name}/", "text/html") or b"").decode("utf-8", "replace")
            files = re.findall(r'href="([^"#]+(?:\.tar\.gz|none-any\.whl))', listed)
            return files and fetch(files[-1])

        yield "pypi", name, "latest", bring, ""


def crates(names, work):
    """Crates come through cargo itself, with all that they depend on."""
    home = work / "cargo"
    for start in range(0, len(names), 20):
        project = work / "crates" / str(start)
        (project / "src").mkdir(parents=True, exist_ok=True)
        (project / "src/lib.rs").write_text("")
        wanted = "".join(f'{name} = "*"\n' for name in sorted(set(names[start : start + 20])))
        described = f'[package]\nname = "wanted"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n{wanted}'
        (project / "Cargo.toml").write_text(described)
        fetched = {**os.environ, "CARGO_HOME": str(home)}
        ran = subprocess.run(["cargo", "fetch", "--quiet"], cwd=project, env=fetched, capture_output=True, text=True)
        if ran.returncode:
            print(start, ran.stderr[-300:], flush=True)
    for packed in sorted(home.glob("registry/cache/*/*.crate")):
        name, version = re.fullmatch(r"(.+?)-(\d+\..*)", packed.name.removesuffix(".crate")).groups()
        yield "crates", name, version, (lambda packed=packed: packed.read_bytes()), ""


def keep(work, job, held):
    """Brings one package; the record of it, with why it was left out if it was."""
    registry, name, version, bring, home = job
    record = {"registry": registry, "name": name, "version": version}
    if held.is_package(name):
        return {**record, "left_out": "held out"}
    archive = bring()
    if not archive or len(archive) > MOST_ARCHIVE:
        return {**record, "left_out": "not to be had"}
    folder = work / "sources" / registry / re.sub(r"[^\w.@-]", "_", f"{name}-{version}")
    try:
        said, count = unpack(archive, folder)
    except (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError):
        return {**record, "left_out": "not readable"}
    home = home_of(home) or home_of(said)
    licence = licence_of(said)
    reason = "held out" if held.is_repository(home) else "no files" if not count else None if licence else "licence"
    if reason:
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    return {**record, "licence": licence, "home": home, "files": count, "folder": folder.name, "left_out": reason}


def collect(work, jobs, held, threads=12, most=None):
    path = work / "packages.jsonl"
    records = [json.loads(line) for line in path.open()] if path.exists() else []
    done = {(r["registry"], r["name"]) for r in records if r.get("left_out") != "not to be had"}
    waiting, lock = queue.Queue(maxsize=64), threading.Lock()

    def worker():
        while (job := waiting.get()) is not None:
            try:
                record = keep(work, job, held)
            except Exception as error:  # One package must not stop the others.
                record = {"registry": job[0], "name": job[1], "version": job[2], "left_out": f"failed: {error!r}"[:200]}
            with lock, path.open("a") as out:
                out.write(json.dumps(record) + "\n")

    workers = [threading.Thread(target=worker) for _ in range(threads)]
    for thread in workers:
        thread.start()
    for count, job in enumerate(jobs):
        if most is not None and count >= most:
            break
        if (job[0], job[1]) not in done:
            waiting.put(job)
    for _ in workers:
        waiting.put(None)
    for thread in workers:
        thread.join()


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("work", type=pathlib.Path)
    arguments.add_argument("bench", type=pathlib.Path, help="the evaluation data that nothing may come from")
    arguments.add_argument("source", choices=["npm", "pypi", "crates", "debian", "debs"])
    arguments.add_argument("--most", type=int)
    arguments.add_argument("--suite", default="trixie")
    arguments.add_argument("--seed", type=int, default=7, help="which packages of the Python registry are drawn")
    asked = arguments.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    held = held_out.HeldOut.read(asked.bench)
    here = pathlib.Path(__file__).parent
    listed = lambda name: [line.strip() for line in (here / "packages" / name).read_text().split() if line.strip()]
    names = [fields["Package"] for fields in debian_sources(asked.suite)] if asked.source in ("npm", "pypi") else []
    if asked.source == "npm":
        jobs = npm(listed("npm.txt") + [n.removeprefix("node-") for n in names if n.startswith("node-")])
    elif asked.source == "pypi":
        known = {n.removeprefix("python-").lower() for n in names if n.startswith("python-")}
        every = pypi_names()
        drawn = random.Random(asked.seed).sample(every, 30_000)
        jobs = pypi([n for n in every if n.lower() in known] + drawn)
    elif asked.source == "crates":
        jobs = crates(listed("crates.txt"), asked.work)
    elif asked.source == "debs":
        jobs = debs(lambda name: name.startswith(("ruby-", "php-", "golang-")) and not name.endswith("-doc"), asked.suite)
    else:
        prefixes, single, tools = tuple(listed("debian-prefixes.txt")), set(listed("debian.txt")), set(listed("debian-tools.txt"))
        wanted = lambda name, fields: name in single or name.startswith(prefixes) or is_built_with(fields, tools)
        jobs = debian(wanted, asked.suite)
    collect(asked.work, jobs, held, most=asked.most)


if __name__ == "__main__":
    main()
