// The render pipelines of the WebGPU rasterizer, one for each combination of states used so far.
import type { GpuDevice } from '../../gpu/device.js';
import { COLOR_WRITE, SHADER_STAGE } from '../../gpu/flags.js';
import { RASTER_DEFAULTS, type RasterState } from '../raster.js';
import code from './draw-triangles.wgsl?raw';
import { WEBGPU_RASTERIZER_LAYOUT } from './draw-triangles-layout.js';
import { triangleBindGroupLayout } from './triangles-gpu.js';

export const COLOR_FORMAT = 'r32uint';

/** How depth is stored: in single precision, or in 24 bits if the device lacks that format with a stencil. */
export type DepthFormat = 'depth32float-stencil8' | 'depth24plus-stencil8';

/** The best format that the device supports. */
export function depthFormatOf(gpu: GpuDevice): DepthFormat {
  const features = gpu.device.features as unknown as ReadonlySet<string>;
  return features.has('depth32float-stencil8') ? 'depth32float-stencil8' : 'depth24plus-stencil8';
}

/** The layout of the bind group that holds a view's matrix. */
export function viewBindGroupLayout(gpu: GpuDevice): GPUBindGroupLayout {
  return gpu.pipelines.get('webgpu-rasterizer/view', () =>
    gpu.device.createBindGroupLayout({
      entries: [
        {
          binding: WEBGPU_RASTERIZER_LAYOUT.bindings.view.binding,
          visibility: SHADER_STAGE.VERTEX,
          buffer: { type: 'uniform' },
        },
      ],
    }),
  );
}

/** The pipeline that draws in a state; the stencil reference is set separately. */
export function renderPipeline(gpu: GpuDevice, state: RasterState): GPURenderPipeline {
  const { device, pipelines } = gpu;
  const of = <K extends keyof RasterState>(name: K) => state[name] ?? RASTER_DEFAULTS[name];
  const key = pipelineKey(state);
  return pipelines.get(`webgpu-rasterizer/${key}`, () => {
    const module = pipelines.get('webgpu-rasterizer', () => device.createShaderModule({ code }));
    return device.createRenderPipeline({
      label: key,
      layout: device.createPipelineLayout({
        bindGroupLayouts: [viewBindGroupLayout(gpu), triangleBindGroupLayout(gpu)],
      }),
      vertex: { module, entryPoint: 'placeCorner' },
      fragment: {
        module,
        entryPoint: 'colorPixel',
        targets: [{ format: COLOR_FORMAT, writeMask: of('colorWrite') ? COLOR_WRITE.ALL : COLOR_WRITE.NONE }],
      },
      primitive: { topology: 'triangle-list', frontFace: 'ccw', cullMode: of('cull') },
      depthStencil: {
        format: depthFormatOf(gpu),
        depthCompare: of('depthCompare'),
        depthWriteEnabled: of('depthWrite'),
        ...stencilState(state),
      },
    });
  });
}

/** The states that a pipeline holds, as a name for it. */
export function pipelineKey(state: RasterState): string {
  return PIPELINE_STATES.map((name) => state[name] ?? RASTER_DEFAULTS[name]).join(' ');
}

/** The part of a pipeline that tests and changes the stencil, the same for both faces. */
export function stencilState(state: RasterState) {
  const face = {
    compare: state.stencilCompare ?? RASTER_DEFAULTS.stencilCompare,
    failOp: state.stencilFail ?? RASTER_DEFAULTS.stencilFail,
    depthFailOp: state.stencilDepthFail ?? RASTER_DEFAULTS.stencilDepthFail,
    passOp: state.stencilPass ?? RASTER_DEFAULTS.stencilPass,
  };
  return {
    stencilFront: face,
    stencilBack: face,
    stencilReadMask: state.stencilReadMask ?? RASTER_DEFAULTS.stencilReadMask,
    stencilWriteMask: state.stencilWriteMask ?? RASTER_DEFAULTS.stencilWriteMask,
  };
}

/** All states except the stencil reference, which is not part of a pipeline. */
const PIPELINE_STATES = (Object.keys(RASTER_DEFAULTS) as (keyof RasterState)[]).filter(
  (name) => name !== 'stencilReference',
);
