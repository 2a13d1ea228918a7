/** What a server was asked and what that amounts to: requests, tokens, money. */
import type { FaultKind } from './fault.ts';
import type { OpenAiSettings } from './settings.ts';

export interface Traffic {
  /** Questions asked of the client, and requests sent for them. */
  questions: number;
  requests: number;
  retries: number;
  faults: Partial<Record<FaultKind, number>>;
}

export const traffic = (): Traffic => ({ questions: 0, requests: 0, retries: 0, faults: {} });

/** Tokens of one answer, as the server counts them. */
export interface TokenCount {
  prompt: number;
  completion: number;
  /** Of the prompt, those that were cached. */
  cached: number;
}

export interface Usage extends Traffic {
  samples: number;
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
  /** Answers without usage: their tokens are an estimate from the length of the text. */
  estimated: number;
  /** Undefined without prices. */
  cost?: number;
  /** What was odd about answers that were taken nevertheless, and how often. */
  oddities: Record<string, number>;
}

/** An adding machine for all answers of one engine. */
export function meter({ inputPrice, outputPrice }: Pick<OpenAiSettings, 'inputPrice' | 'outputPrice'>) {
  const totals = { samples: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, estimated: 0 };
  const oddities = new Map<string, number>();
  return {
    add(samples: number, count: TokenCount | undefined, completionTokens: number): void {
      totals.samples += samples;
      totals.completionTokens += completionTokens;
      totals.promptTokens += count?.prompt ?? 0;
      totals.cachedTokens += count?.cached ?? 0;
      if (!count) totals.estimated++;
    },
    odd(what: string): void {
      // Words of a server are keys here: no more of them than anybody would read.
      if (oddities.has(what) || oddities.size < 50) oddities.set(what, (oddities.get(what) ?? 0) + 1);
    },
    usage(counts: Readonly<Traffic>): Usage {
      const { promptTokens, completionTokens } = totals;
      const priced = inputPrice !== undefined || outputPrice !== undefined;
      const cost = (promptTokens * (inputPrice ?? 0) + completionTokens * (outputPrice ?? 0)) / 1e6;
      return {
        ...counts,
        faults: { ...counts.faults },
        ...totals,
        ...(priced ? { cost } : {}),
        oddities: Object.fromEntries(oddities),
      };
    },
  };
}
