import { goJson, goText } from '@tributary/apimachinery';

export const STRATEGIES = ['RollingUpdate', 'OnDelete'];

/** As upstream's own form of it prints. */
export function shownStrategy(type: string) {
  return goText(`{"Type":${goJson(type)},"RollingUpdate":null}`);
}
