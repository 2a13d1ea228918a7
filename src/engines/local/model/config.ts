/** The shape of a decoder-only transformer of the Llama/Qwen2 family. */
export interface ModelConfig {
  vocabulary: number;
  width: number;
  layers: number;
  heads: number;
  /** Keys and values are shared by heads / kvHeads query heads. */
  kvHeads: number;
  headWidth: number;
  mlpWidth: number;
  /** Longest sequence. */
  context: number;
  ropeTheta: number;
  normEps: number;
  /** The output layer is the embedding. */
  tiedHead: boolean;
  qkvBias: boolean;
}

/** What of a network an adapter can be on: the projections of every layer's attention or MLP, or the output layer. */
export const LORA_PARTS = ['attention', 'mlp', 'head'] as const;
export type LoraPart = (typeof LORA_PARTS)[number];

/** Low-rank adapters; the base stays as it is. */
export interface LoraConfig {
  rank: number;
  /** The adapter's output is scaled by alpha / rank. */
  alpha: number;
  /** Every projection of every layer, and not the output layer, where absent. */
  on?: readonly LoraPart[] | undefined;
}

export const isAdapted = ({ on = ['attention', 'mlp'] }: LoraConfig, part: LoraPart): boolean => on.includes(part);

export type ModelSize = Pick<ModelConfig, 'vocabulary' | 'width' | 'layers' | 'heads'> & Partial<ModelConfig>;

/** Fills what follows from the size, and refuses shapes that no graph can have. */
export function modelConfig(size: ModelSize): ModelConfig {
  const config: ModelConfig = {
    kvHeads: size.heads,
    headWidth: size.width / size.heads,
    // Four times the width, over the three matrices of SwiGLU instead of two, would be 8/3; a power of two runs faster.
    mlpWidth: size.width * 4,
    context: 1024,
    ropeTheta: 10_000,
    normEps: 1e-6,
    tiedHead: true,
    qkvBias: false,
    ...size,
  };
  const problems: string[] = [];
  for (const key of [
    'vocabulary',
    'width',
    'layers',
    'heads',
    'kvHeads',
    'headWidth',
    'mlpWidth',
    'context',
  ] as const) {
    if (!Number.isInteger(config[key]) || config[key] < 1)
      problems.push(`${key} must be a whole number (got ${config[key]})`);
  }
  if (config.headWidth % 2 !== 0)
    problems.push(`headWidth must be even for rotary positions (got ${config.headWidth})`);
  if (config.heads % config.kvHeads !== 0) {
    problems.push(`heads (${config.heads}) must be a multiple of kvHeads (${config.kvHeads})`);
  }
  if (!(config.normEps > 0)) problems.push(`normEps must be positive (got ${config.normEps})`);
  if (!(config.ropeTheta > 1)) problems.push(`ropeTheta must be above 1 (got ${config.ropeTheta})`);
  if (problems.length > 0) throw new TypeError(`model config: ${problems.join('; ')}`);
  return config;
}

export function checkLora(lora: LoraConfig): LoraConfig {
  if (!Number.isInteger(lora.rank) || lora.rank < 1)
    throw new TypeError(`lora rank must be a whole number (got ${lora.rank})`);
  if (lora.on && !LORA_PARTS.some((part) => isAdapted(lora, part))) throw new TypeError('lora is on nothing');
  if (!(lora.alpha > 0)) throw new TypeError(`lora alpha must be positive (got ${lora.alpha})`);
  return lora;
}
