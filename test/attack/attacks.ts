import type { Attack } from './attack.ts';
import { evilBackends } from './attacks/backends.ts';
import { definitions } from './attacks/definitions.ts';
import { connectionFlood, headerFlood, requestFlood } from './attacks/floods.ts';
import { frames, handshakesAttack } from './attacks/frames.ts';
import { bodies, selectors } from './attacks/fuzzing.ts';
import { identity } from './attacks/identity.ts';
import { slowLists, slowWatches, slowWriters } from './attacks/slow.ts';
import { smuggling } from './attacks/smuggling.ts';
import { evilWebhooks } from './attacks/webhooks.ts';

/** In this order: what only asks comes before what fills, floods and defines. */
export const attacks: readonly Attack[] = [
  identity,
  smuggling,
  bodies,
  selectors,
  frames,
  handshakesAttack,
  evilBackends,
  evilWebhooks,
  slowWriters,
  slowLists,
  slowWatches,
  requestFlood,
  headerFlood,
  connectionFlood,
  definitions,
];
