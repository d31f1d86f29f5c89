"""What a fleet costs, measured: `run scale`. Nothing here is a promise, so nothing here can be broken.

Three parts, chosen by SCALE (all unless named): `path`, trees of SCALE_TREES pulled, parsed, encoded and written for
SCALE_SECONDS; `engine`, made-up rows in the engine's own collections and its answers at SCALE_SIZES; `vectors`, the
two kinds of index over made-up vectors at SCALE_VECTORS by the library that engines of this kind are built on."""

import os
import pathlib
import statistics
import time

from fleet import TREES

WIDTH, WORDS, QUESTIONS = 384, 60, 30
SEGMENT = 1_000_000
PARTS = os.environ.get("SCALE", "path engine vectors").split()


def sizes(name, usual):
    return [int(float(size)) for size in os.environ.get(name, usual).split()]


def scale(fleet, engine):
    if "path" in PARTS and os.environ.get("SCALE_TREES"):
        path(fleet("path"), engine)
    if "engine" in PARTS:
        rows(fleet("rows"), engine)
    if "vectors" in PARTS:
        vectors()


def cpu_of(process):
    """Seconds that a process has worked, all its threads together."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def bytes_of(folder):
    return sum(it.stat().st_size for it in pathlib.Path(folder).rglob("*") if it.is_file())


def path(fleet, engine):
    """The whole way of real trees, as far as the time goes; a worker that is stopped leaves what it settled."""
    for tree in sorted(pathlib.Path(os.environ["SCALE_TREES"]).iterdir()):
        if tree.is_dir():
            fleet.must("fleet", "add", "--name", tree.name, str(tree))
    before, started, seconds = cpu_of(engine.process.pid), time.time(), float(os.environ.get("SCALE_SECONDS", "600"))
    worker = fleet.start("fleet", "sync")
    worked = 0.0
    while worker.poll() is None and time.time() < started + seconds:
        worked = cpu_of(worker.pid)
        time.sleep(0.2)
    took = time.time() - started
    worker.kill()
    worker.wait()
    served = cpu_of(engine.process.pid) - before
    done = [it for it in fleet.status()["repositories"] if it["state"] == "done"]
    chunks, files = (sum(it[what] for it in done) for what in ("chunks", "files"))
    stored = {part.name: bytes_of(part) for part in pathlib.Path(engine.data).rglob("*") if part.is_dir() and part.name.endswith(("_chunks", "_pieces"))}
    print(f"{len(done)} repositories, {files} files, {chunks} chunks, {len(fleet.ids())} rows in {took:.0f} s")
    print(f"CPU of the worker {worked:.1f} s, of the engine {served:.1f} s; bytes {stored}", flush=True)


def made_up(count, seed):
    """Vectors in a thousand heaps, as those of code are; none like another."""
    import numpy

    chance = numpy.random.default_rng(seed)
    heaps = numpy.random.default_rng(1).standard_normal((1000, WIDTH), dtype="float32")
    found = heaps[chance.integers(0, 1000, count)] + 0.8 * chance.standard_normal((count, WIDTH), dtype="float32")
    return found / numpy.linalg.norm(found, axis=1, keepdims=True)


def words(count, seed):
    """Texts with words as frequent as words are: the n-th a share of 1/n."""
    import numpy

    chance = numpy.random.default_rng(seed)
    numbers = numpy.minimum(numpy.exp(chance.random((count, WORDS)) * numpy.log(50_000)).astype(int), 49_999)
    return [" ".join(f"w{number}" for number in row) for row in numbers]


def row(number, text, vector):
    repository, name = number // 1000, f"{number // 8:032x}"
    return {
        "id": f"{name}.{number % 8}.r{repository}", "file": name, "slot": f"r{repository}", "shelf": str(repository),
        "holders": [repository], "path": f"src/{name[-6:]}.py", "language": "python", "kind": "function", "role": "code",
        "chunk": number % 8, "first": 1, "last": 20, "body": text, "names": text[:40], "paths": f"src {name[-6:]}", "meaning": vector,
    }  # fmt: skip


def rows(fleet, engine):
    """Made-up rows in our own collections, and how long the engine takes for one list."""
    fleet.must("fleet", "add", str(TREES / "lathe"))
    fleet.must("fleet", "sync")
    with fleet.engine() as (client, collection):
        name, there = f"{collection}_chunks", 0
        for size in sizes("SCALE_SIZES", "1e4 1e5"):
            wrote = fill(client, name, there, size)
            there = size
            for question in ("meaning", "words"):
                for about in ("everything", "one repository"):
                    asked(client, name, engine, there, question, about)
            memory = int(pathlib.Path(f"/proc/{engine.process.pid}/statm").read_text().split()[1]) * 4096
            print(f"{there} rows: written in {wrote:.0f} s, {bytes_of(engine.data) / there:.0f} bytes a row on disk, engine's memory {memory / 1e9:.2f} GB", flush=True)


def fill(client, name, there, size):
    """Adds rows up to a size; says how long that took."""
    started = time.time()
    for at in range(there, size, 2000):
        some = min(2000, size - at)
        texts, near = words(some, at), made_up(some, at).tolist()
        client.insert(name, [row(at + n, texts[n], near[n]) for n in range(some)])
    client.flush(name)
    client.load_collection(name)
    return time.time() - started


def asked(client, name, engine, there, question, about):
    """How long the engine takes for a list of 200, and how much it works for it."""
    field, metric, params = ("meaning", "COSINE", {"ef": 400}) if question == "meaning" else ("body_bm25", "BM25", {})
    questions = made_up(QUESTIONS, 7).tolist() if question == "meaning" else [" ".join(it.split()[:8]) for it in words(QUESTIONS, 7)]
    within = ' and shelf in ["3", "*"] and array_contains_any(holders, [3])' if about == "one repository" else ""
    settings = {"anns_field": field, "limit": 200, "filter": 'role == "code"' + within, "output_fields": ["file", "holders"]}
    ask = lambda it: client.search(name, [it], search_params={"metric_type": metric, "params": params}, **settings)
    ask(questions[0])
    before, times = cpu_of(engine.process.pid), []
    for it in questions:
        begun = time.time()
        ask(it)
        times.append(1000 * (time.time() - begun))
    worked = 1000 * (cpu_of(engine.process.pid) - before) / len(questions)
    print(f"{there} rows: {question} over {about}: median {statistics.median(times):.1f} ms, most {max(times):.1f} ms, CPU {worked:.1f} ms", flush=True)


def vectors():
    """Both kinds of index: how much CPU a question takes, and which share of the nearest 100 it finds. More vectors
    than a segment holds are several indexes, as in an engine, made and asked one after the other."""
    import faiss
    import numpy

    faiss.omp_set_num_threads(1)
    questions, most = made_up(QUESTIONS, 7), int(float(os.environ.get("SCALE_GRAPH", "1e5")))
    for size in sizes("SCALE_VECTORS", "1e4 1e5 1e6"):
        sums = {kind: [0.0, 0.0, []] for kind in ("exact", "IVF_RABITQ", "HNSW")[: 3 if size <= most else 2]}
        for start in range(0, size, SEGMENT):
            end = min(size, start + SEGMENT)
            parts = [made_up(min(100_000, end - at), at) for at in range(start, end, 100_000)]
            for kind, sum in sums.items():
                (index, params, took, _) = MAKE[kind](faiss, parts, end - start)
                begun = time.process_time()
                for number, it in enumerate(questions):
                    scores, found = index.search(it.reshape(1, -1), 100, params=params)
                    sum[2].extend((number, float(score), start + int(at)) for score, at in zip(scores[0], found[0]))
                sum[0], sum[1] = sum[0] + time.process_time() - begun, sum[1] + took
                del index
            del parts
        nearest = {kind: best(numpy, found) for kind, (_, _, found) in sums.items()}
        for kind, (worked, took, _) in sums.items():
            share = numpy.mean([len(near & exact) for near, exact in zip(nearest[kind], nearest["exact"])])
            print(f"{size} vectors, {kind}: {1000 * worked / QUESTIONS:.2f} ms of CPU a question, {share:.0f} of the nearest 100, made in {took:.0f} s of CPU", flush=True)


def best(numpy, found):
    """The nearest 100 of each question, of all segments."""
    of = lambda number: sorted(((score, at) for asked, score, at in found if asked == number), reverse=True)[:100]
    return [{at for _, at in of(number)} for number in range(QUESTIONS)]


def exact(faiss, parts, _):
    index = faiss.IndexFlatIP(WIDTH)
    for part in parts:
        index.add(part)
    return index, None, 0.0, None


def graph(faiss, parts, _):
    begun = time.process_time()
    index = faiss.IndexHNSWFlat(WIDTH, 16, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = 200
    for part in parts:
        index.add(part)
    return index, faiss.SearchParametersHNSW(efSearch=400), time.process_time() - begun, None


def lists(faiss, parts, size):
    begun = time.process_time()
    count = min(1024, size // 40)
    coarse = faiss.IndexFlatIP(WIDTH)
    codes = faiss.IndexIVFRaBitQ(coarse, WIDTH, count, faiss.METRIC_INNER_PRODUCT)
    refined = faiss.IndexRefine(codes, faiss.IndexScalarQuantizer(WIDTH, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT))
    refined.train(parts[0][: 40 * count])
    for part in parts:
        refined.add(part)
    near = faiss.IVFRaBitQSearchParameters()
    near.nprobe, near.qb = 128, 6
    params = faiss.IndexRefineSearchParameters(k_factor=4, base_index_params=near)
    # The library does not hold on to what an index is made of.
    return refined, params, time.process_time() - begun, (coarse, codes, near)


MAKE = {"exact": exact, "IVF_RABITQ": lists, "HNSW": graph}
