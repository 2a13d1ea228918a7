/** The openai engine's public names. */
export { describeCapabilities } from './describe.ts';
export { type OpenAiEngine, openAiEngine } from './engine.ts';
export { type FaultKind, ServerFault } from './fault.ts';
export { type Capabilities, type CapabilityName, probe } from './probe.ts';
export type { OpenAiOptions } from './settings.ts';
export type { Usage } from './usage.ts';
