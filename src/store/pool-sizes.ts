/** How the two pools grew, by epoch. */
import type { Connection } from './connection.ts';

export interface PoolGrowth {
  epoch: number;
  /** Tasks that entered D_train for the first time, and generations that entered D_env. */
  agent: number;
  environment: number;
}

/** A task enters the agent's pool when it is first judged; a generation enters the environment's when it is kept. */
export function poolGrowth(db: Connection): PoolGrowth[] {
  return db.all<PoolGrowth>(
    `SELECT epoch, sum(agent) AS agent, sum(environment) AS environment FROM (
       SELECT first AS epoch, count(*) AS agent, 0 AS environment FROM (
         SELECT min(epoch) AS first FROM groups
         WHERE attempts > 0 AND role NOT IN ('validation', 'test') GROUP BY task_id)
       GROUP BY 1
       UNION ALL SELECT epoch, 0, sum(kept) FROM scores GROUP BY 1)
     GROUP BY 1 ORDER BY 1`,
  );
}

/** How many members each pool has now; quarantined ones are still in it, but are not drawn. */
export function poolSizes(db: Connection): { agent: number; environment: number } {
  const size = (pool: string) => db.get<{ n: number }>('SELECT count(*) AS n FROM pool WHERE pool = ?', [pool])?.n ?? 0;
  return { agent: size('agent'), environment: size('environment') };
}
