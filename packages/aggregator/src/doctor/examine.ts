import { readRegistration } from '../registrations/read-registration.ts';
import { isRemote } from '../registrations/registration.ts';
import { type Examination, HOPS, skipped } from './finding.ts';
import type { Place } from './fixes.ts';
import { HopLog } from './hop-log.ts';
import { judgeMissing } from './judge-registration.ts';
import { CannotAsk, type Look } from './look.ts';
import { listed, Walk } from './walk.ts';

/** Walks from the registration to the server's documents, and stops at the first hop that is broken. */
export async function examine(name: string, look: Look, place: Place): Promise<Examination> {
  const log = new HopLog(name);
  const seen = await look.apiService(name);
  if (seen.kind === 'refused')
    throw new CannotAsk(`may not read the APIService ${name}: ${seen.why}`);
  if (seen.kind === 'missing') {
    log.add('apiservice', judgeMissing(name, listed(await look.apiServices()), place));
    return log.end();
  }
  const apiService = seen.value;
  const { registration } = readRegistration(apiService);
  if (!isRemote(registration)) return examinedLocal(name);
  const { namespace, name: service, port } = registration.remote.service;
  log.add('apiservice', {
    outcome: 'well',
    words: `registered for ${namespace}/${service}:${port}`,
  });
  await new Walk({ look, place, log, apiService, registration }).run();
  return log.end();
}

/** The API server itself serves it: there is nothing to walk. */
function examinedLocal(name: string): Examination {
  const log = new HopLog(name);
  for (const hop of HOPS) log.add(hop, skipped('served by the API server itself'));
  return log.end();
}
