/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  EndpointSlice: 'Some of the endpoints of a service. All slices with its label make up the whole.',
  'EndpointSlice.addressType': 'What the addresses are: IPv4, IPv6 or FQDN. It never changes.',
  'EndpointSlice.endpoints': 'The endpoints, at most a thousand.',
  'EndpointSlice.ports': 'Ports that every endpoint has, at most a hundred.',

  Endpoint: 'One place that serves a service.',
  'Endpoint.addresses': 'Its addresses; they lead to the same place, and only the first is used.',
  'Endpoint.conditions': 'The state it is in.',
  'Endpoint.hostname': 'The name of the host.',
  'Endpoint.targetRef': 'The object that it belongs to.',
  'Endpoint.deprecatedTopology':
    'Where it is, in the words of an older version. It cannot be written.',
  'Endpoint.nodeName': 'The node that it is on.',
  'Endpoint.zone': 'The zone that it is in.',
  'Endpoint.hints': 'Who should rather use it.',

  EndpointConditions: 'The state of an endpoint.',
  'EndpointConditions.ready': 'Takes traffic. Unknown counts as true.',
  'EndpointConditions.serving': 'Could take traffic, even while it ends. Unknown counts as ready.',
  'EndpointConditions.terminating': 'Is about to end. Unknown counts as false.',

  EndpointHints: 'Who should rather use an endpoint.',
  'EndpointHints.forZones': 'Zones whose clients should use it.',
  'EndpointHints.forNodes': 'Nodes whose clients should use it.',
  ForZone: 'A zone that an endpoint is meant for.',
  'ForZone.name': 'The name of the zone.',
  ForNode: 'A node that an endpoint is meant for.',
  'ForNode.name': 'The name of the node.',

  EndpointPort: 'A port of endpoints.',
  'EndpointPort.name': 'The name of the port; no two of a slice have the same.',
  'EndpointPort.protocol': 'TCP, UDP or SCTP.',
  'EndpointPort.port': 'The number of the port. Without one, its meaning depends on the use.',
  'EndpointPort.appProtocol': 'What is spoken on the port, as a hint for proxies.',
});
