#!/usr/bin/env python3
"""Writes networks with many branches in ripc's JSON: searched cells, randomly wired stages, detectors with several heads.

usage: branching.py OUT

Each is built from its published description; the sources stand at the functions. Batch normalisation is folded, an
activation is part of the convolution before it, and one that stands before a convolution is left out.
"""

import json
import pathlib
import random
import sys


class Network:
    def __init__(self, name, height, width=None, channels=3):
        self.name, self.ops, self.outputs, self.shapes = name, [], [], {}
        self.inputs = {"image": [height, width or height, channels]}
        self.shapes["image"] = (height, width or height, channels)

    def add(self, kind, ins, shape, **fields):
        out = f"t{len(self.ops)}"
        self.ops.append({"op": kind, "in": ins, "out": out, **fields})
        self.shapes[out] = shape
        return out

    def window(self, kind, tensor, channels, kernel, stride, fields):
        height, width, depth = self.shapes[tensor]
        fields = dict(fields, kernel=kernel)
        if stride != 1:
            fields["stride"] = stride
        if kernel > 1 or stride > 1:
            fields["pad"] = "same"
        return self.add(kind, tensor, (-(-height // stride), -(-width // stride), channels or depth), **fields)

    def conv(self, tensor, channels, kernel=1, stride=1):
        return self.window("conv", tensor, channels, kernel, stride, {"channels": channels})

    def depthwise(self, tensor, kernel=3, stride=1):
        return self.window("depthwise", tensor, None, kernel, stride, {})

    def separable(self, tensor, channels, kernel=3, stride=1):
        return self.conv(self.depthwise(tensor, kernel, stride), channels)

    def pool(self, kind, tensor, kernel, stride):
        return self.window(f"{kind}_pool", tensor, None, kernel, stride, {})

    def sum(self, *tensors):
        total = tensors[0]
        for tensor in tensors[1:]:
            total = self.add("add", [total, tensor], self.shapes[total])
        return total

    def concat(self, tensors):
        height, width, _ = self.shapes[tensors[0]]
        return self.add("concat", tensors, (height, width, sum(self.shapes[t][2] for t in tensors)))

    def upsample(self, tensor):
        height, width, depth = self.shapes[tensor]
        return self.add("resize_nearest", tensor, (2 * height, 2 * width, depth), scale=2)

    def classify(self, tensor, classes):
        pooled = self.add("mean", tensor, (1, 1, self.shapes[tensor][2]))
        self.add("fully_connected", pooled, (1, 1, classes), channels=classes)

    def text(self):
        ops = ",\n    ".join(json.dumps(op) for op in self.ops)
        outputs = f',\n  "outputs": {json.dumps(self.outputs)}' if self.outputs else ""
        return (f'{{\n  "name": "{self.name}",\n  "inputs": {json.dumps(self.inputs)},\n'
                f'  "ops": [\n    {ops}\n  ]{outputs}\n}}\n')


def reduced(net, tensor, channels, like):
    """A 1x1 convolution to `channels`, and to half the size if `like` is that much smaller (one strided convolution)."""
    return net.conv(tensor, channels, 1, 2 if net.shapes[tensor][0] > net.shapes[like][0] else 1)


def nasnet_cell(net, before, now, filters, stride):
    """NASNet-A: Zoph et al., Learning Transferable Architectures, 2018, figure 4."""
    before, now = reduced(net, before, filters, now), net.conv(now, filters)

    def sep(tensor, kernel, step=1):
        return net.separable(net.separable(tensor, filters, kernel, step), filters, kernel)

    if stride == 1:
        return net.concat([before,
                           net.sum(sep(now, 3), now),
                           net.sum(sep(before, 3), sep(now, 5)),
                           net.sum(net.pool("average", now, 3, 1), before),
                           net.sum(net.pool("average", before, 3, 1), net.pool("average", before, 3, 1)),
                           net.sum(sep(before, 5), sep(before, 3))])
    first = net.sum(sep(now, 5, 2), sep(before, 7, 2))
    second = net.sum(net.pool("max", now, 3, 2), sep(before, 7, 2))
    third = net.sum(net.pool("average", now, 3, 2), sep(before, 5, 2))
    fourth = net.sum(net.pool("average", first, 3, 1), second)
    fifth = net.sum(sep(first, 3), net.pool("max", now, 3, 2))
    return net.concat([second, third, fourth, fifth])


def nasnet(name, image, repeats, filters):
    net = Network(name, image)
    before = now = net.conv("image", 32, 3, 2)
    for cell in range(2):
        before, now = now, nasnet_cell(net, before, now, filters // (4, 2)[cell], 2)
    for stage in range(3):
        if stage > 0:
            before, now = now, nasnet_cell(net, before, now, filters << stage, 2)
        for _ in range(repeats):
            before, now = now, nasnet_cell(net, before, now, filters << stage, 1)
    net.classify(now, 1000)
    return net


def darts(name, cells, channels):
    """DARTS_V2 on 32x32 images: Liu et al., DARTS, 2019, figures 4 and 5."""
    net = Network(name, 32)
    before = now = net.conv("image", 3 * channels, 3)
    for cell in range(cells):
        reduction = cell in (cells // 3, 2 * cells // 3)
        if reduction:
            channels *= 2
        a, b = reduced(net, before, channels, now), net.conv(now, channels)

        def sep(tensor):
            return net.separable(net.separable(tensor, channels), channels)

        if reduction:
            half = {id: net.pool("max", tensor, 3, 2) for id, tensor in (("a", a), ("b", b))}
            first = net.sum(half["a"], half["b"])
            second = net.sum(first, net.pool("max", b, 3, 2))
            third = net.sum(net.pool("max", a, 3, 2), first)
            nodes = [first, second, third, net.sum(first, net.pool("max", b, 3, 2))]
        else:
            first = net.sum(sep(a), sep(b))
            second = net.sum(sep(a), sep(b))
            third = net.sum(sep(b), a)
            nodes = [first, second, third, net.sum(a, net.separable(first, channels, 5))]
        before, now = now, net.concat(nodes)
    net.classify(now, 10)
    return net


def wired_stage(net, tensor, nodes, channels, seed):
    """A Watts-Strogatz graph with K = 4 and P = 0.75: Xie et al., Exploring Randomly Wired Networks, 2019."""
    pick = random.Random(seed)
    edges = {(min(i, (i + d) % nodes), max(i, (i + d) % nodes)) for d in (1, 2) for i in range(nodes)}
    for distance in (1, 2):
        for i in range(nodes):
            if pick.random() >= 0.75:
                continue
            old = tuple(sorted((i, (i + distance) % nodes)))
            new = tuple(sorted((i, pick.randrange(nodes))))
            if new[0] != new[1] and new not in edges and old in edges:
                edges.remove(old)
                edges.add(new)
    made = []
    for node in range(nodes):
        sources = [made[a] for a, b in sorted(edges) if b == node]
        made.append(net.separable(net.sum(*sources) if sources else tensor, channels, 3, 1 if sources else 2))
    ends = [made[node] for node in range(nodes) if not any(a == node for a, _ in edges)]
    return net.sum(*ends)


def randwire(name, image, nodes, channels, stages, seed):
    net = Network(name, image)
    now = net.separable(net.conv("image", channels // 2, 3, 2), channels, 3, 2)
    for stage in range(stages):
        now = wired_stage(net, now, nodes, channels << stage, seed + stage)
    net.classify(net.conv(now, 1280), 1000)
    return net


def wide_cell(name, image, branches, channels):
    """Branches of one kind, listed layer by layer, as some exporters write them."""
    net = Network(name, image)
    now = net.conv("image", channels, 3, 2)
    for _ in range(3):
        wide = [net.conv(now, 4 * channels) for _ in range(branches)]
        deep = [net.depthwise(tensor, 3) for tensor in wide]
        now = net.sum(*[net.conv(tensor, channels) for tensor in deep])
    net.classify(now, 10)
    return net


def mobilenet_backbone(net, image, width, ends):
    """MobileNetV1 features of the named depths: Howard et al., 2017, table 1."""
    now, found = net.conv(image, 32 * width // 4, 3, 2), []
    for at, (channels, stride) in enumerate([(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] +
                                            [(512, 1)] * 5 + [(1024, 2), (1024, 1)]):
        now = net.separable(now, channels * width // 4, 3, stride)
        if at in ends:
            found.append(now)
    return found


def ssd(name, image, width):
    """SSDLite heads on six features: Liu et al., SSD, 2016; Sandler et al., MobileNetV2, 2018, section 6.2."""
    net = Network(name, image)
    features = mobilenet_backbone(net, "image", width, (10, 12))
    for channels in (512, 256, 256, 128):
        squeezed = net.conv(features[-1], channels * width // 8)
        features.append(net.separable(squeezed, channels * width // 4, 3, 2))
    for feature, anchors in zip(features, (3, 6, 6, 6, 6, 6)):
        net.outputs.append(net.separable(feature, 4 * anchors))
        net.outputs.append(net.separable(feature, 21 * anchors))
    return net


def pyramid(name, image, width, channels, layers):
    """A detector with a bidirectional pyramid: Tan et al., EfficientDet, 2020, on a MobileNet."""
    net = Network(name, image)
    levels = [net.conv(t, channels) for t in mobilenet_backbone(net, "image", width, (4, 10, 12))]
    for _ in range(2):
        levels.append(net.pool("max", levels[-1], 3, 2))
    for _ in range(layers):
        down = [None] * 4 + [levels[4]]
        for at in (3, 2, 1, 0):
            down[at] = net.separable(net.sum(levels[at], net.upsample(down[at + 1])), channels)
        up = [down[0]]
        for at in (1, 2, 3, 4):
            parts = [levels[at], net.pool("max", up[-1], 3, 2)] + ([down[at]] if at < 4 else [])
            up.append(net.separable(net.sum(*parts), channels))
        levels = up
    for outputs in (4 * 9, 90 * 9):
        heads = levels
        for _ in range(3):
            heads = [net.separable(tensor, channels) for tensor in heads]
        net.outputs += [net.separable(tensor, outputs) for tensor in heads]
    return net


def yolo_tiny(name, image):
    """Two heads, one after upsampling: Redmon and Farhadi, YOLOv3, 2018, the tiny configuration."""
    net = Network(name, image)
    now = "image"
    for channels in (16, 32, 64, 128):
        now = net.pool("max", net.conv(now, channels, 3), 2, 2)
    route = net.conv(now, 256, 3)
    now = net.conv(net.pool("max", route, 2, 2), 512, 3)
    narrow = net.conv(net.conv(net.pool("max", now, 2, 1), 1024, 3), 256)
    net.outputs.append(net.conv(net.conv(narrow, 512, 3), 255))
    joined = net.concat([net.upsample(net.conv(narrow, 128)), route])
    net.outputs.append(net.conv(net.conv(joined, 256, 3), 255))
    return net


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for net in (nasnet("nasnet-a-mobile", 224, 4, 44), nasnet("nasnet-a-cifar", 32, 6, 32), darts("darts-v2", 20, 36),
                darts("darts-v2-small", 8, 16), randwire("randwire-a", 224, 32, 78, 3, 1),
                randwire("randwire-b", 224, 32, 109, 3, 11), randwire("randwire-small", 96, 12, 24, 3, 21),
                wide_cell("layerwise", 96, 4, 16), ssd("ssdlite-mobilenet", 320, 4), ssd("ssdlite-small", 192, 1),
                pyramid("pyramid", 256, 4, 64, 3), yolo_tiny("yolov3-tiny", 416)):
        (folder / f"{net.name}.json").write_text(net.text())


if __name__ == "__main__":
    main()
