"""ONNX Runtime as the peer of the encoder in `throughput.rs`: `onnxruntime_peer.py FOLDER THREADS`.

In: a folder with `config.json` and `model.safetensors`, then a request a line on standard input,
`{"kind": "fp32" | "int8", "ids": [[...], ...]}`, token lists of one length. Out: its name, then an
answer a line, `{"wall": seconds, "cpu": seconds, "vectors": [[...], ...]}`.

Everything is done in ONNX Runtime's favour: the graph is written in its own fused operators, no
attention mask is needed since texts are of one length, and each kind and length runs at the batch
size that proved fastest here. Tokenizing is not part of its time, while it is part of ours.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

BATCHES = (1, 2, 4, 8, 16)
FUSED = "com.microsoft"
TYPES = {"F32": numpy.float32, "F16": numpy.float16}


def main():
    folder, threads = Path(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as scratch:
        sessions = open_sessions(folder, threads, Path(scratch))
    best = {}
    print(f"onnxruntime {onnxruntime.__version__}", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        session, ids = sessions[request["kind"]], numpy.array(request["ids"], dtype=numpy.int32)
        key = (request["kind"], ids.shape[1])
        if key not in best:
            best[key] = fastest_batch(session, ids)
        print(json.dumps(measure(session, ids, best[key])), flush=True)


def open_sessions(folder, threads, scratch):
    exact, quantised = str(scratch / "fp32.onnx"), str(scratch / "int8.onnx")
    onnx.save(graph(folder), exact)
    quantize_dynamic(
        exact,
        quantised,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Attention"],
        # The types of its own fused operators' results are unknown to it.
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    # Its threads spin between operators, as they do by default, but not on into our turn.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    paths = {"fp32": exact, "int8": quantised}
    return {
        kind: onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        for kind, path in paths.items()
    }


def fastest_batch(session, ids):
    measure(session, ids, BATCHES[-1])
    times = {batch: min(measure(session, ids, batch)["wall"] for _ in range(2)) for batch in BATCHES}
    return min(times, key=times.get)


def measure(session, ids, batch):
    wall, cpu = time.perf_counter(), time.process_time()
    parts = [session.run(None, {"ids": ids[n : n + batch]})[0] for n in range(0, len(ids), batch)]
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"wall": wall, "cpu": cpu, "vectors": numpy.concatenate(parts).tolist()}


def graph(folder):
    config = json.loads((folder / "config.json").read_text())
    builder = Builder(tensors(folder / "model.safetensors"), config)
    state = builder.embed("ids")
    for number in range(config["num_hidden_layers"]):
        state = builder.layer(state, f"encoder.layer.{number}")
    return builder.finish(state)


def tensors(path):
    """Name to array, from a safetensors file."""
    data = path.read_bytes()
    end = 8 + int.from_bytes(data[:8], "little")
    listed = json.loads(data[8:end])
    listed.pop("__metadata__", None)
    return {name: tensor(data, end, entry) for name, entry in listed.items()}


def tensor(data, start, entry):
    low, high = entry["data_offsets"]
    kind = TYPES.get(entry["dtype"])
    if kind is None:
        return None
    flat = numpy.frombuffer(data[start + low : start + high], dtype=kind)
    return flat.reshape(entry["shape"]).astype(numpy.float32)


class Builder:
    """Writes a BERT graph operator by operator; each method returns the name of its result."""

    def __init__(self, weights, config):
        self.weights, self.config = weights, config
        self.nodes, self.constants = [], []

    def constant(self, name, array):
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(array), name))
        return name

    def weight(self, name):
        return self.constant(name, self.weights[name])

    def apply(self, operator, inputs, domain="", **attributes):
        result = f"value{len(self.nodes)}"
        node = helper.make_node(operator, inputs, [result], domain=domain, **attributes)
        self.nodes.append(node)
        return result

    def embed(self, ids):
        base = "embeddings"
        places = self.weights[f"{base}.position_embeddings.weight"]
        kind = self.weights[f"{base}.token_type_embeddings.weight"][0]
        inputs = [
            ids,
            "",
            self.weight(f"{base}.word_embeddings.weight"),
            self.constant("places", places + kind),
            "",
            *self.norm(f"{base}.LayerNorm"),
        ]
        result = [f"value{len(self.nodes)}", ""]
        epsilon = self.config["layer_norm_eps"]
        node = helper.make_node(
            "EmbedLayerNormalization", inputs, result, domain=FUSED, epsilon=epsilon
        )
        self.nodes.append(node)
        return result[0]

    def layer(self, state, base):
        context = self.attend(state, f"{base}.attention.self")
        state = self.add(state, context, f"{base}.attention.output")
        product = self.multiply(state, f"{base}.intermediate.dense")
        bias = self.weight(f"{base}.intermediate.dense.bias")
        inner = self.apply("BiasGelu", [product, bias], FUSED)
        return self.add(state, inner, f"{base}.output")

    def attend(self, state, base):
        parts = ["query", "key", "value"]
        weights = numpy.concatenate([self.weights[f"{base}.{part}.weight"].T for part in parts], 1)
        bias = numpy.concatenate([self.weights[f"{base}.{part}.bias"] for part in parts])
        inputs = [
            state,
            self.constant(f"{base}.weights", weights),
            self.constant(f"{base}.bias", bias),
        ]
        heads = self.config["num_attention_heads"]
        return self.apply("Attention", inputs, FUSED, num_heads=heads)

    def multiply(self, state, name):
        weights = self.constant(f"{name}.transposed", self.weights[f"{name}.weight"].T)
        return self.apply("MatMul", [state, weights])

    def add(self, state, other, base):
        product = self.multiply(other, f"{base}.dense")
        inputs = [product, state, *self.norm(f"{base}.LayerNorm"), self.weight(f"{base}.dense.bias")]
        epsilon = self.config["layer_norm_eps"]
        return self.apply("SkipLayerNormalization", inputs, FUSED, epsilon=epsilon)

    def norm(self, name):
        return self.weight(f"{name}.weight"), self.weight(f"{name}.bias")

    def finish(self, state):
        axes = self.constant("axes", numpy.array([1], dtype=numpy.int64))
        mean = self.apply("ReduceMean", [state, axes], keepdims=0)
        vector = self.apply("LpNormalization", [mean], axis=-1, p=2)
        ids = helper.make_tensor_value_info("ids", TensorProto.INT32, ["texts", "tokens"])
        width = self.config["hidden_size"]
        vectors = helper.make_tensor_value_info(vector, TensorProto.FLOAT, ["texts", width])
        made = helper.make_graph(self.nodes, "bert", [ids], [vectors], self.constants)
        versions = [helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(made, opset_imports=versions)
        model.ir_version = 9
        return model


if __name__ == "__main__":
    main()
