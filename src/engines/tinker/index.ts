/** The Tinker engine's public names. */
export { describeProfile } from './describe.ts';
export { probeServer, type TinkerEngine, tinkerEngine } from './engine.ts';
export { type Profile, refusalOf } from './profile.ts';
export type { ChatTokens, Notice, PlayerSetup, ServerOptions, TinkerOptions } from './settings.ts';
