# Distance fields by the Python packages people use: scikit-fmm (fast marching in C++), SciPy (distance transform in C)
# and OpenVDB (narrow band from triangles in C++). One JSON request a line, one JSON answer a line; arrays are .npy files.
# Only the call itself is timed, with the array in place.
import json
import sys
import time

import numpy


def march(request):
    import skfmm

    phi = numpy.load(request["field"])
    start = time.perf_counter()
    distance = skfmm.distance(phi, dx=request["spacing"], order=request["order"])
    elapsed = time.perf_counter() - start
    numpy.save(request["out"], numpy.asarray(distance, dtype=numpy.float64))
    return {"milliseconds": 1000 * elapsed}


def transform(request):
    from scipy import ndimage

    away = numpy.load(request["sites"]) == 0
    start = time.perf_counter()
    distance = ndimage.distance_transform_edt(away)
    elapsed = time.perf_counter() - start
    numpy.save(request["out"], distance)
    return {"milliseconds": 1000 * elapsed}


def band(request):
    import pyopenvdb

    points = numpy.load(request["points"]).astype(numpy.float32)
    triangles = numpy.load(request["triangles"]).astype(numpy.uint32)
    place = pyopenvdb.createLinearTransform(voxelSize=request["spacing"])
    start = time.perf_counter()
    grid = pyopenvdb.FloatGrid.createLevelSetFromPolygons(
        points, triangles=triangles, transform=place, halfWidth=request["width"]
    )
    elapsed = time.perf_counter() - start
    return {"milliseconds": 1000 * elapsed, "nodes": grid.activeVoxelCount(), "bytes": grid.memUsage()}


def versions(_):
    found = {}
    for name in ("skfmm", "scipy", "pyopenvdb"):
        try:
            module = __import__(name)
            version = getattr(module, "__version__", None) or ".".join(map(str, module.LIBRARY_VERSION))
            found[name] = version
        except ImportError:
            pass
    return found


OPERATIONS = {"march": march, "transform": transform, "band": band, "versions": versions}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = OPERATIONS[request["operation"]](request)
    except Exception as error:  # The benchmark leaves the peer out and says why.
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
