/** The local engine's public names. */
export { loadTokenizer, type Tokenizer } from '../../tokens/tokenizer.ts';
export { type LocalEngine, type LocalEngineOptions, localEngine } from './engine.ts';
export { saveModelFolder } from './files/hugging-face.ts';
export { type LocalHost, type LocalHostOptions, localHost } from './host.ts';
export { type LoraConfig, type ModelConfig, type ModelSize, modelConfig } from './model/config.ts';
export { modelLayout } from './model/layout.ts';
export { type ModelSource, openModel, type SourcedModel, type TokenizerSource } from './model/source.ts';
export { adapterSeed } from './player.ts';
export type { LocalSampleRequest } from './sampler.ts';
export { buildTokenizer, type TokenizerOptions } from './tokenizer/build.ts';
export { chatOf } from './tokenizer/chat.ts';
export { learningRate, type Schedule } from './train/schedule.ts';
