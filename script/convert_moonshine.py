"""convert_moonshine.py TOOLS SOURCE.ort RESULT.onnx

The Moonshine models are shipped with weights as 8-bit integers that are expanded to floating point by the graph itself,
on every step. This computes that once, and then stores the matrices as 8-bit integers again, in the form in which the
runtime multiplies them as they are. Run by speech_models.py, with the packages in TOOLS.
"""

import sys

sys.path.insert(0, sys.argv[1])

import onnx  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import AttributeProto, helper, numpy_helper  # noqa: E402
from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: E402

EXPANSION = {
    "Cast": lambda node, a: a.astype(helper.tensor_dtype_to_np_dtype(node.attribute[0].i)),
    "Mul": lambda node, a, b: a * b,
    "Add": lambda node, a, b: a + b,
}


def read(source, scratch):
    """The model as an ONNX graph, optimised only as far as constants go."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = scratch
    options.add_session_config_entry("session.save_model_format", "ONNX")
    onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
    return onnx.load(scratch)


def branches(graph):
    return [attribute.g for node in graph.node for attribute in node.attribute if attribute.type == AttributeProto.GRAPH]


def names_used(graph):
    used = {name for node in graph.node for name in node.input} | {output.name for output in graph.output}
    for branch in branches(graph):
        used |= names_used(branch)
    return used


def fold(graph, outer):
    """Replaces each Cast, Mul and Add of constants by its value; `outer` holds what the enclosing graph knows."""
    known = outer | {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    kept, made = [], []
    for node in graph.node:
        if node.op_type in EXPANSION and all(name in known for name in node.input):
            known[node.output[0]] = EXPANSION[node.op_type](node, *(known[name] for name in node.input))
            made.append(node.output[0])
        else:
            kept.append(node)
    del graph.node[:]
    graph.node.extend(kept)
    used = names_used(graph)
    tensors = [tensor for tensor in graph.initializer if tensor.name in used]
    tensors += [numpy_helper.from_array(known[name], name) for name in sorted(made) if name in used]
    del graph.initializer[:]
    graph.initializer.extend(tensors)
    for number, branch in enumerate(branches(graph), start=1):
        # The quantiser identifies a branch by its name, and these have none.
        branch.name = branch.name or f"{graph.name}_branch_{number}"
        fold(branch, known)


def main(source, result):
    model = read(source, result + ".float")
    model.graph.name = source.rsplit("/", 1)[-1].removesuffix(".ort")
    fold(model.graph, {})
    onnx.save(model, result + ".folded")
    quantize_dynamic(
        result + ".folded", result, op_types_to_quantize=["MatMul"], per_channel=True, weight_type=QuantType.QInt8,
        extra_options={"EnableSubgraph": True, "MatMulConstBOnly": True})


main(sys.argv[2], sys.argv[3])
