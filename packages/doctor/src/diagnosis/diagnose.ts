import { isRemote, readRegistration } from '@tributary/aggregator/api-services';
import { missingApiService } from '../checks/check-registration.ts';
import { ClusterUnavailable, type Probes } from '../probes/probes.ts';
import { type Diagnosis, HOPS, skipped } from '../report/diagnosis.ts';
import type { CommandContext } from '../report/fixes.ts';
import { HopResults } from './hop-results.ts';
import { CheckRun, itemsOf } from './run-checks.ts';

/** Checks every hop from the APIService to the documents of its server, up to the first that fails. */
export async function diagnose(
  name: string,
  probes: Probes,
  context: CommandContext,
): Promise<Diagnosis> {
  const results = new HopResults(name);
  const read = await probes.apiService(name);
  if (read.kind === 'forbidden') {
    throw new ClusterUnavailable(`not allowed to read the APIService ${name}: ${read.message}`);
  }
  if (read.kind === 'missing') {
    const registered = itemsOf(await probes.apiServices());
    results.add('apiservice', missingApiService(name, registered, context));
    return results.diagnosis();
  }
  const apiService = read.value;
  const { registration } = readRegistration(apiService);
  if (!isRemote(registration)) return localDiagnosis(name);
  const { namespace, name: service, port } = registration.remote.service;
  results.add('apiservice', {
    status: 'passed',
    message: `registered for ${namespace}/${service}:${port}`,
  });
  await new CheckRun({ probes, context, results, apiService, registration }).run();
  return results.diagnosis();
}

/** The API server itself serves the group version, so there are no hops. */
function localDiagnosis(name: string): Diagnosis {
  const results = new HopResults(name);
  for (const hop of HOPS) results.add(hop, skipped('served by the API server itself'));
  return results.diagnosis();
}
