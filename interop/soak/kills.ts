/** When which server is killed in a soak. */

export interface Kill {
  readonly atSeconds: number;
  readonly what: 'gateway' | 'wardle';
}

export interface KillPlan {
  readonly seconds: number;
  /** The interval of the gateway's kills. The last one comes later, when all writers have stopped. */
  readonly killEverySeconds: number;
  /** Wardle dies in the middle of every how manyth life of the gateway. */
  readonly wardleEvery: number;
}

export function planKills({ seconds, killEverySeconds, wardleEvery }: KillPlan): Kill[] {
  const kills: Kill[] = [];
  for (let life = 1; ; life += 1) {
    const middle = (life - 0.5) * killEverySeconds;
    const end = life * killEverySeconds;
    if (life % wardleEvery === 0 && middle < seconds) {
      kills.push({ atSeconds: middle, what: 'wardle' });
    }
    if (end >= seconds) return kills;
    kills.push({ atSeconds: end, what: 'gateway' });
  }
}
