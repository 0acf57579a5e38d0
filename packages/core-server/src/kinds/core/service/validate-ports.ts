import type { ServicePort, ServiceSpec } from '@tributary/api/core-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  goJson,
  goText,
} from '@tributary/apimachinery';
import {
  validateLabel,
  validatePortName,
  validatePortNumber,
  validateProtocol,
  validateQualifiedName,
} from '../../shared/validate-names.ts';

export function validatePorts(path: FieldPath, ports: readonly ServicePort[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    return [...validateName(at.child('name'), port, ports, names), ...validatePort(at, port)];
  });
}

/** Only a single port may lack a name. */
function validateName(
  path: FieldPath,
  { name }: ServicePort,
  ports: readonly ServicePort[],
  names: Set<string>,
): FieldError[] {
  if (!name) return ports.length > 1 ? [fieldError.required(path)] : [];
  const errors = validateLabel(path, name);
  if (names.has(name)) errors.push(fieldError.duplicate(path, name));
  names.add(name);
  return errors;
}

function validatePort(path: FieldPath, port: ServicePort): FieldError[] {
  const { targetPort, appProtocol } = port;
  const targetPath = path.child('targetPort');
  return [
    ...validatePortNumber(path.child('port'), port.port),
    ...validateProtocol(path.child('protocol'), port.protocol),
    ...(typeof targetPort === 'number'
      ? validatePortNumber(targetPath, targetPort)
      : validatePortName(targetPath, targetPort)),
    ...(appProtocol === undefined
      ? []
      : validateQualifiedName(path.child('appProtocol'), appProtocol)),
  ];
}

export function validateNodePorts(path: FieldPath, { type, ports = [] }: ServiceSpec) {
  const errors: FieldError[] = [];
  const withNodePort = [...ports.entries()].filter(([, { nodePort = 0 }]) => nodePort !== 0);
  if (type === 'ClusterIP') {
    const detail = "may not be used when `type` is 'ClusterIP'";
    for (const [index] of withNodePort) {
      errors.push(fieldError.forbidden(path.index(index).child('nodePort'), detail));
    }
  }
  const seen = new Set<string>();
  for (const [index, { protocol, nodePort }] of withNodePort) {
    const pair = `${protocol} ${nodePort}`;
    if (seen.has(pair)) {
      errors.push(fieldError.duplicate(path.index(index).child('nodePort'), nodePort));
    }
    seen.add(pair);
  }
  return errors;
}

/** A port number can be used once for each protocol. */
export function validatePortPairs(path: FieldPath, ports: readonly ServicePort[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ protocol = '', port }, index) => {
    const pair = `${protocol} ${port}`;
    const isRepeated = seen.has(pair);
    seen.add(pair);
    if (!isRepeated) return [];
    // Upstream's internal struct as JSON, with only these two fields set.
    const shown = goText(
      `{"Name":"","Protocol":${goJson(protocol)},"AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`,
    );
    return [fieldError.duplicate(path.index(index), shown)];
  });
}
