import { goJson, goText } from '@tributary/apimachinery';

export const STRATEGIES = ['RollingUpdate', 'OnDelete'];

/** Upstream's internal struct as JSON. */
export function goStrategy(type: string) {
  return goText(`{"Type":${goJson(type)},"RollingUpdate":null}`);
}
