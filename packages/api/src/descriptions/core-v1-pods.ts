/** Words for `kubectl explain` of pods, by type and by field. */
export const podDescriptions = (): Readonly<Record<string, string>> => ({
  Pod: 'Containers that run together on one node and share an address and volumes.',
  'Pod.spec': 'What should run. After the pod is made, only few fields can be changed.',
  'Pod.status':
    'How it runs. Written by its node, the scheduler and controllers; it may be a bit old.',
  PodTemplate: 'A stored description of pods to be made. Nothing makes pods from it by itself.',
  'PodTemplate.template': 'The pods.',
  PodTemplateSpec: 'What pods look like that are made from it.',
  'PodTemplateSpec.spec': 'What runs in the pods.',

  PodSpec: 'What runs in a pod, where, and with which rights.',
  'PodSpec.volumes': 'Volumes that the containers can mount, by name.',
  'PodSpec.initContainers':
    'Containers that run to their end, one after another, before the others start. One with restartPolicy Always is a sidecar and keeps running.',
  'PodSpec.containers': 'What runs. There is at least one, and none can be added or removed later.',
  'PodSpec.ephemeralContainers':
    'Containers for debugging, added to a running pod through its ephemeralcontainers subresource. They cannot be removed.',
  'PodSpec.restartPolicy':
    'When containers that end start again: Always, OnFailure or Never. Default: Always.',
  'PodSpec.terminationGracePeriodSeconds':
    'Seconds that a deleted pod has to stop before it is killed; 0 kills it at once. Default: 30.',
  'PodSpec.activeDeadlineSeconds':
    'Seconds after its startTime at which the pod is stopped and counts as failed. Empty: no limit.',
  'PodSpec.dnsPolicy':
    'ClusterFirst, ClusterFirstWithHostNet (the same with hostNetwork), Default (as the node does) or None (only dnsConfig). Default: ClusterFirst.',
  'PodSpec.nodeSelector': 'Labels that a node must have, all of them, to run the pod.',
  'PodSpec.serviceAccountName':
    'The service account that the pod runs as. Default: the one named default.',
  'PodSpec.serviceAccount': 'An old name of serviceAccountName; use that one.',
  'PodSpec.automountServiceAccountToken':
    'Whether a token of the service account is mounted. Empty: as the account says, or else true.',
  'PodSpec.nodeName':
    'The node that runs the pod. The scheduler sets it; setting it yourself goes past the scheduler.',
  'PodSpec.hostNetwork':
    'Whether the pod uses the network of its node, so that its ports are ports of the node. Default: false.',
  'PodSpec.hostPID': 'Whether the pod sees the processes of its node. Default: false.',
  'PodSpec.hostIPC':
    'Whether the pod shares IPC (shared memory, semaphores) with its node. Default: false.',
  'PodSpec.shareProcessNamespace':
    'Whether the containers see the processes of each other. Not together with hostPID. Default: false.',
  'PodSpec.securityContext':
    'Users, groups and profiles for all containers. A container can override most of it.',
  'PodSpec.imagePullSecrets': 'Secrets of the same namespace with which images are pulled.',
  'PodSpec.hostname': 'The host name seen in the pod, a DNS label. Default: the name of the pod.',
  'PodSpec.subdomain':
    'With it, the full name is hostname.subdomain.namespace.svc and the domain of the cluster.',
  'PodSpec.affinity': 'Rules about which nodes, and which pods nearby, are required or preferred.',
  'PodSpec.schedulerName': 'The scheduler that places the pod. Default: default-scheduler.',
  'PodSpec.tolerations': 'Taints of nodes that do not keep the pod away.',
  'PodSpec.hostAliases': 'Lines that are added to /etc/hosts of the containers.',
  'PodSpec.priorityClassName':
    'The PriorityClass, which must exist. Empty: the default class, or else priority 0.',
  'PodSpec.priority':
    'How important the pod is; higher goes first. It is filled in from the PriorityClass.',
  'PodSpec.dnsConfig': 'DNS settings that are added to those of dnsPolicy.',
  'PodSpec.readinessGates': 'Conditions that must also be True before the pod counts as ready.',
  'PodSpec.runtimeClassName':
    'The RuntimeClass that runs the containers; without such a class the pod does not run. Empty: the usual runtime.',
  'PodSpec.enableServiceLinks':
    'Whether containers get environment variables about the services of the namespace. Default: true.',
  'PodSpec.preemptionPolicy':
    'Whether pods of lower priority may have to go for it: PreemptLowerPriority or Never. Default: PreemptLowerPriority.',
  'PodSpec.overhead':
    'What running the pod costs beyond its containers. It is filled in from the RuntimeClass and counts when scheduling.',
  'PodSpec.topologySpreadConstraints':
    'How pods are spread over nodes or zones. All of the constraints apply.',
  'PodSpec.setHostnameAsFQDN':
    'Whether the host name is the full DNS name, at most 64 characters. Default: false.',
  'PodSpec.os': 'The operating system. Fields that belong to another one must not be set.',
  'PodSpec.hostUsers':
    'Whether user ids are those of the node. False gives the pod a user namespace of its own. Default: true.',
  'PodSpec.schedulingGates':
    'While there are any, the pod is not scheduled. They are set at creation and can then only be removed.',
  'PodSpec.resourceClaims':
    'ResourceClaims that must be allocated before the pod starts. Containers use them by name.',
  'PodSpec.resources':
    'Requests and limits of all containers together, for cpu, memory and huge pages. Claims are not possible here.',
  'PodSpec.hostnameOverride':
    'The host name seen in the pod, up to 64 characters, instead of that from hostname and subdomain. Not with hostNetwork or setHostnameAsFQDN.',
  'PodSpec.schedulingGroup': 'The group with which the pod is scheduled. It cannot be changed.',
  PodOS: 'The operating system of a pod.',
  'PodOS.name': 'linux or windows.',
  PodSchedulingGate: 'Something that must happen before a pod is scheduled.',
  'PodSchedulingGate.name':
    'The name of the gate, once in a pod. Whoever is responsible for it removes it.',
  PodSchedulingGroup: 'The group of pods with which a pod is scheduled.',
  'PodSchedulingGroup.podGroupName':
    'The PodGroup, in the same namespace. The pod waits until it exists.',
  PodReadinessGate: 'A condition that must be True before a pod counts as ready.',
  'PodReadinessGate.conditionType': 'The type of a condition in the status of the pod.',
  PodResourceClaim:
    'A ResourceClaim for a pod: one that exists, or one made from a template. Exactly one of both is given.',
  'PodResourceClaim.name': 'The name by which containers refer to it.',
  'PodResourceClaim.resourceClaimName':
    'A ResourceClaim of the same namespace, which several pods may share.',
  'PodResourceClaim.resourceClaimTemplateName':
    'A ResourceClaimTemplate, from which a claim is made that is deleted with the pod.',
  HostAlias: 'An address and its names in /etc/hosts.',
  'HostAlias.ip': 'The IP address.',
  'HostAlias.hostnames': 'The names.',
  PodDNSConfig: 'What is written into /etc/resolv.conf of a pod, beside what dnsPolicy gives.',
  'PodDNSConfig.nameservers':
    'Addresses of DNS servers, up to 3. At least one with dnsPolicy None.',
  'PodDNSConfig.searches': 'Domains in which short names are looked up, up to 32.',
  'PodDNSConfig.options':
    'Options of the resolver. They win over those of the same name from dnsPolicy.',
  PodDNSConfigOption: 'An option of the DNS resolver.',
  'PodDNSConfigOption.name': 'The name, such as ndots.',
  'PodDNSConfigOption.value': 'The value, for options that have one.',

  Container: 'A program in a pod: its image and how it runs.',
  'Container.name':
    'The name, a DNS label, once among all containers of the pod. It cannot be changed.',
  'Container.image': 'The image, such as registry/name:tag or registry/name@digest.',
  'Container.command':
    'The program and its first arguments, instead of the ENTRYPOINT of the image. $(NAME) stands for a variable; $$(NAME) stays as $(NAME).',
  'Container.args':
    'Arguments, instead of the CMD of the image. $(NAME) stands for a variable; $$(NAME) stays as $(NAME).',
  'Container.workingDir': 'The directory in which it starts. Default: that of the image.',
  'Container.ports':
    'Ports on which it listens. They inform and give names; a port that is not listed is reachable as well.',
  'Container.envFrom':
    'ConfigMaps and Secrets whose keys all become variables. Later ones win, and env wins over them.',
  'Container.env': 'Environment variables.',
  'Container.resources': 'How much cpu, memory and so on it asks for and may use.',
  'Container.resizePolicy':
    'Whether it restarts when its cpu or memory is changed while it runs. Default: it does not.',
  'Container.restartPolicy':
    'When it starts again: Always, OnFailure or Never. Empty: as the pod says. Always makes an init container a sidecar.',
  'Container.restartPolicyRules':
    'Rules by exit code, asked in order; the first that fits wins over restartPolicy, which must be set. At most 20.',
  'Container.volumeMounts': 'Where volumes of the pod appear in its file system.',
  'Container.volumeDevices': 'Where volumes of the pod appear as block devices.',
  'Container.livenessProbe':
    'Asks whether it still works. When it fails, the container is killed and restartPolicy applies.',
  'Container.readinessProbe':
    'Asks whether it can serve. While it fails, services send no traffic to the pod.',
  'Container.startupProbe':
    'Asks whether it has started. The other probes wait for it; when it fails, the container is killed.',
  'Container.lifecycle': 'What is done after it starts and before it stops.',
  'Container.terminationMessagePath':
    'The file to which it may write, in up to 4096 bytes, why it ended. Default: /dev/termination-log.',
  'Container.terminationMessagePolicy':
    'File: the message is that file. FallbackToLogsOnError: the end of the log if it failed and wrote none. Default: File.',
  'Container.imagePullPolicy':
    'Always, IfNotPresent or Never. Default: Always if the tag is latest or missing, otherwise IfNotPresent.',
  'Container.securityContext':
    'Users and rights. What is set here wins over the securityContext of the pod.',
  'Container.stdin':
    'Whether its standard input is kept open. Without it, reads get end of file. Default: false.',
  'Container.stdinOnce':
    'Whether standard input closes when the first client that attaches leaves. Default: false.',
  'Container.tty': 'Whether it gets a terminal; needs stdin. Default: false.',
  EphemeralContainer:
    'A container added to a running pod to look into it. It never restarts and nothing is reserved for it.',
  'EphemeralContainer.targetContainerName':
    'The container whose processes it sees, where the runtime can do that. Empty: as the pod is set up.',
  'EphemeralContainerCommon.name': 'The name, a DNS label, once among all containers of the pod.',
  'EphemeralContainerCommon.image': 'The image, such as registry/name:tag or registry/name@digest.',
  'EphemeralContainerCommon.command':
    'The program and its first arguments, instead of the ENTRYPOINT of the image. $(NAME) stands for a variable; $$(NAME) stays as $(NAME).',
  'EphemeralContainerCommon.args':
    'Arguments, instead of the CMD of the image. $(NAME) stands for a variable; $$(NAME) stays as $(NAME).',
  'EphemeralContainerCommon.workingDir':
    'The directory in which it starts. Default: that of the image.',
  'EphemeralContainerCommon.ports': 'Not allowed for ephemeral containers.',
  'EphemeralContainerCommon.envFrom':
    'ConfigMaps and Secrets whose keys all become variables. Later ones win, and env wins over them.',
  'EphemeralContainerCommon.env': 'Environment variables.',
  'EphemeralContainerCommon.resources':
    'Not allowed for ephemeral containers, which use what the pod has to spare.',
  'EphemeralContainerCommon.resizePolicy': 'Not allowed for ephemeral containers.',
  'EphemeralContainerCommon.restartPolicy':
    'Not allowed for ephemeral containers, which never restart.',
  'EphemeralContainerCommon.restartPolicyRules':
    'Not allowed for ephemeral containers, which never restart.',
  'EphemeralContainerCommon.volumeMounts':
    'Where volumes of the pod appear in its file system; without subPath and subPathExpr.',
  'EphemeralContainerCommon.volumeDevices': 'Where volumes of the pod appear as block devices.',
  'EphemeralContainerCommon.livenessProbe': 'Not allowed for ephemeral containers.',
  'EphemeralContainerCommon.readinessProbe': 'Not allowed for ephemeral containers.',
  'EphemeralContainerCommon.startupProbe': 'Not allowed for ephemeral containers.',
  'EphemeralContainerCommon.lifecycle': 'Not allowed for ephemeral containers.',
  'EphemeralContainerCommon.terminationMessagePath':
    'The file to which it may write, in up to 4096 bytes, why it ended. Default: /dev/termination-log.',
  'EphemeralContainerCommon.terminationMessagePolicy':
    'File: the message is that file. FallbackToLogsOnError: the end of the log if it failed and wrote none. Default: File.',
  'EphemeralContainerCommon.imagePullPolicy':
    'Always, IfNotPresent or Never. Default: Always if the tag is latest or missing, otherwise IfNotPresent.',
  'EphemeralContainerCommon.securityContext':
    'Users and rights. What is set here wins over the securityContext of the pod.',
  'EphemeralContainerCommon.stdin':
    'Whether its standard input is kept open. Without it, reads get end of file. Default: false.',
  'EphemeralContainerCommon.stdinOnce':
    'Whether standard input closes when the first client that attaches leaves. Default: false.',
  'EphemeralContainerCommon.tty': 'Whether it gets a terminal; needs stdin. Default: false.',
  ContainerPort: 'A port on which a container listens.',
  'ContainerPort.name': 'A name that services can use, up to 15 characters, once in the pod.',
  'ContainerPort.hostPort':
    'A port of the node that leads here, 1 to 65535. With hostNetwork it equals containerPort. Most pods need none.',
  'ContainerPort.containerPort': 'The number of the port, 1 to 65535.',
  'ContainerPort.protocol': 'TCP, UDP or SCTP. Default: TCP.',
  'ContainerPort.hostIP': 'The address of the node to which hostPort is bound. Empty: all of them.',

  EnvVar: 'An environment variable of a container.',
  'EnvVar.name': 'The name: printable ASCII characters except the equals sign.',
  'EnvVar.value':
    'The value. $(NAME) stands for a variable defined before; $$(NAME) stays as $(NAME). Default: empty.',
  'EnvVar.valueFrom': 'Where the value comes from. Not together with a value.',
  EnvVarSource: 'Where the value of a variable comes from. Exactly one source is given.',
  'EnvVarSource.fieldRef': 'A field of the pod, such as metadata.name or status.podIP.',
  'EnvVarSource.resourceFieldRef': 'A request or limit of a container, such as limits.cpu.',
  'EnvVarSource.configMapKeyRef': 'A key of a ConfigMap in the same namespace.',
  'EnvVarSource.secretKeyRef': 'A key of a Secret in the same namespace.',
  'EnvVarSource.fileKeyRef': 'A key of a file with variables, in a volume of the pod.',
  EnvFromSource: 'A ConfigMap or Secret whose keys all become environment variables.',
  'EnvFromSource.prefix': 'What is put before each key to make the name of the variable.',
  'EnvFromSource.configMapRef': 'The ConfigMap.',
  'EnvFromSource.secretRef': 'The Secret.',
  ConfigMapEnvSource: 'A ConfigMap whose keys become environment variables.',
  'ConfigMapEnvSource.optional':
    'Whether it may be missing. Otherwise the container waits for it. Default: false.',
  SecretEnvSource: 'A Secret whose keys become environment variables.',
  'SecretEnvSource.optional':
    'Whether it may be missing. Otherwise the container waits for it. Default: false.',
  ConfigMapKeySelector: 'A key of a ConfigMap in the same namespace.',
  'ConfigMapKeySelector.key': 'The key.',
  'ConfigMapKeySelector.optional':
    'Whether the ConfigMap or the key may be missing. Otherwise the container waits. Default: false.',
  SecretKeySelector: 'A key of a Secret in the same namespace.',
  'SecretKeySelector.key': 'The key.',
  'SecretKeySelector.optional':
    'Whether the Secret or the key may be missing. Otherwise the container waits. Default: false.',
  FileKeySelector: 'A key of a file that holds environment variables.',
  'FileKeySelector.volumeName':
    'The volume with the file, an emptyDir. The container need not mount it.',
  'FileKeySelector.path': 'The file in the volume: a relative path without .. in it.',
  'FileKeySelector.key': 'The key in the file, up to 128 characters.',
  'FileKeySelector.optional':
    'Whether the file or the key may be missing; the variable is then not set. Default: false.',
  ObjectFieldSelector: 'A field of the pod.',
  'ObjectFieldSelector.apiVersion': 'The version in which the path is written. Default: v1.',
  'ObjectFieldSelector.fieldPath':
    "The field, such as metadata.name, metadata.labels['app'], spec.nodeName or status.podIP.",
  ResourceFieldSelector: 'A request or a limit of a container.',
  'ResourceFieldSelector.containerName':
    'The container. Needed in volumes; in variables, empty means the container itself.',
  'ResourceFieldSelector.resource':
    'limits or requests, a dot and the resource, such as limits.cpu or requests.memory.',
  'ResourceFieldSelector.divisor':
    'The unit in which it is given, such as 1m or 1Mi; results are rounded up. Default: 1.',

  ResourceRequirements: 'How much a container or a pod asks for, and how much it may use.',
  'ResourceRequirements.limits':
    'The most it may use, by resource. Above it cpu is slowed down; for memory a process is killed.',
  'ResourceRequirements.requests':
    'What is reserved for it on the node, by resource. Default: the limits, if there are any.',
  'ResourceRequirements.claims':
    'Entries of the resourceClaims of the pod that the container uses. Only for containers.',
  ResourceClaim: 'An entry of the resourceClaims of a pod, for one of its containers.',
  'ResourceClaim.name': 'The name of the entry.',
  'ResourceClaim.request':
    'One request of the claim that is made available. Empty: all that the claim has.',
  ContainerResizePolicy:
    'What happens to a container when a resource of it is changed while it runs.',
  'ContainerResizePolicy.resourceName': 'The resource: cpu or memory.',
  'ContainerResizePolicy.restartPolicy':
    'NotRequired (it goes on if possible) or RestartContainer. Default: NotRequired.',
  ContainerRestartRule: 'What is done when a container ends in some way.',
  'ContainerRestartRule.action':
    'Restart: the container starts again. RestartAllContainers: the pod starts anew in place.',
  'ContainerRestartRule.exitCodes': 'The exit codes for which the rule holds.',
  ContainerRestartRuleOnExitCodes: 'Which exit codes of a container are meant.',
  'ContainerRestartRuleOnExitCodes.operator': 'In: one of the values. NotIn: none of them.',
  'ContainerRestartRuleOnExitCodes.values': 'Exit codes, up to 255 of them.',

  VolumeMount: 'Where a volume of the pod appears in a container.',
  'VolumeMount.name': 'The name of the volume.',
  'VolumeMount.readOnly': 'Whether the container can only read it. Default: false.',
  'VolumeMount.recursiveReadOnly':
    'Whether mounts below it are read-only too: Disabled, IfPossible or Enabled; the latter two need readOnly. Default: Disabled.',
  'VolumeMount.mountPath': 'The path in the container; it must not contain a colon.',
  'VolumeMount.subPath':
    'A path in the volume to mount instead of its root; relative, without .. in it. Such a mount does not follow later updates.',
  'VolumeMount.mountPropagation':
    'Whether later mounts are passed on: None, HostToContainer, or Bidirectional for privileged containers. Default: None.',
  'VolumeMount.subPathExpr':
    'Like subPath, with $(NAME) replaced by variables of the container. Not together with subPath.',
  VolumeDevice: 'Where a volume of the pod appears as a block device in a container.',
  'VolumeDevice.name': 'The name of the volume, a PersistentVolumeClaim with volumeMode Block.',
  'VolumeDevice.devicePath': 'The path of the device in the container.',

  Probe:
    'A check of a container, made by the node again and again. Exactly one way to check is given.',
  'ProbeHandler.exec': 'Runs a command in the container. It succeeds with exit code 0.',
  'ProbeHandler.httpGet': 'Makes an HTTP request. It succeeds with a status from 200 to 399.',
  'ProbeHandler.tcpSocket': 'Opens a TCP connection. It succeeds if that can be opened.',
  'ProbeHandler.grpc': 'Asks the gRPC health service. It succeeds with the answer SERVING.',
  'Probe.initialDelaySeconds':
    'Seconds from the start of the container to the first check. Default: 0.',
  'Probe.timeoutSeconds':
    'Seconds after which a check without an answer has failed, at least 1. Default: 1.',
  'Probe.periodSeconds': 'Seconds from one check to the next, at least 1. Default: 10.',
  'Probe.successThreshold':
    'Successes in a row after which a failed probe has succeeded. Must be 1 for liveness and startup. Default: 1.',
  'Probe.failureThreshold':
    'Failures in a row after which the probe has failed, at least 1. Default: 3.',
  'Probe.terminationGracePeriodSeconds':
    'Seconds to stop when this probe has failed, at least 1, instead of what the pod gives. Not for readiness.',
  ExecAction: 'A command that runs in a container.',
  'ExecAction.command':
    'The program and its arguments, run without a shell. Exit code 0 is success.',
  HTTPGetAction: 'An HTTP GET request.',
  'HTTPGetAction.path': 'The path. Default: /.',
  'HTTPGetAction.port': 'The number or the name of a port of the container.',
  'HTTPGetAction.host':
    'The host to connect to. Default: the address of the pod. For another Host header, use httpHeaders.',
  'HTTPGetAction.scheme': 'HTTP, or HTTPS, whose certificate is not checked. Default: HTTP.',
  'HTTPGetAction.httpHeaders': 'Headers to send. A name may be repeated.',
  HTTPHeader: 'A header of an HTTP request.',
  'HTTPHeader.name': 'The name of the header.',
  'HTTPHeader.value': 'The value of the header.',
  TCPSocketAction: 'An attempt to open a TCP connection.',
  'TCPSocketAction.port': 'The number or the name of a port of the container.',
  'TCPSocketAction.host': 'The host to connect to. Default: the address of the pod.',
  GRPCAction: 'A request to the health service of gRPC.',
  'GRPCAction.port': 'The number of the port, 1 to 65535.',
  'GRPCAction.service':
    'The service that is asked about. Default: empty, which leaves the meaning to the server.',
  Lifecycle: 'What is done after a container starts and before it stops.',
  'Lifecycle.postStart':
    'Runs as soon as the container is made, beside its program. If it fails, the container is killed and restartPolicy applies.',
  'Lifecycle.preStop':
    'Runs before the stop signal when the container is to stop, within the grace period. Not run when it ends by itself.',
  'Lifecycle.stopSignal':
    'The signal that stops it, such as SIGUSR1; needs os.name of the pod. Default: that of the image, or SIGTERM.',
  LifecycleHandler: 'What a hook of a container does. Exactly one action is given.',
  'LifecycleHandler.exec': 'Runs a command in the container.',
  'LifecycleHandler.httpGet': 'Makes an HTTP request.',
  'LifecycleHandler.tcpSocket': 'Not supported: a hook with it fails. Kept for old clients.',
  'LifecycleHandler.sleep': 'Waits for a while.',
  SleepAction: 'A pause.',
  'SleepAction.seconds': 'How many seconds, 0 to the grace period of the pod.',

  PodSecurityContext: 'Users, groups and profiles for all containers of a pod.',
  'PodSecurityContext.seLinuxOptions':
    'The SELinux label of all containers. Default: the runtime chooses one.',
  'PodSecurityContext.windowsOptions': 'Settings for Windows. Must not be set with os.name linux.',
  'PodSecurityContext.runAsUser':
    'The user id of the first process. Default: the user of the image.',
  'PodSecurityContext.runAsGroup':
    'The primary group id of the first process. Default: as the runtime chooses.',
  'PodSecurityContext.runAsNonRoot':
    'If true, a container that would run as user 0 does not start. Default: not checked.',
  'PodSecurityContext.supplementalGroups': 'Further group ids of the first process.',
  'PodSecurityContext.supplementalGroupsPolicy':
    'Merge: groups from /etc/group of the image count too. Strict: only those that are given here. Default: Merge.',
  'PodSecurityContext.fsGroup':
    'A group id that owns the files of volumes that support it, and that all containers have.',
  'PodSecurityContext.sysctls':
    'Kernel parameters for the pod. If a node does not allow one, the pod may fail to start.',
  'PodSecurityContext.fsGroupChangePolicy':
    'When files get the fsGroup: Always, or OnRootMismatch if the root of the volume does not have it yet. Default: Always.',
  'PodSecurityContext.seccompProfile': 'Which system calls the containers may make.',
  'PodSecurityContext.appArmorProfile': 'The AppArmor profile of the containers.',
  'PodSecurityContext.seLinuxChangePolicy':
    'How volumes get the SELinux label. Recursive: file by file. MountOption: when mounted, where the volume supports it.',
  SecurityContext: 'Users and rights of one container. It wins over what the pod says.',
  'SecurityContext.capabilities':
    'Linux capabilities to add or drop. Default: what the runtime gives.',
  'SecurityContext.privileged':
    'Whether its processes are in effect root on the node. Default: false.',
  'SecurityContext.seLinuxOptions': 'The SELinux label. Default: the runtime chooses one.',
  'SecurityContext.windowsOptions': 'Settings for Windows. Must not be set with os.name linux.',
  'SecurityContext.runAsUser':
    'The user id of the first process. Default: as the pod says, or the user of the image.',
  'SecurityContext.runAsGroup':
    'The primary group id of the first process. Default: as the pod says, or as the runtime chooses.',
  'SecurityContext.runAsNonRoot':
    'If true, the container does not start if it would run as user 0. Default: as the pod says.',
  'SecurityContext.readOnlyRootFilesystem':
    'Whether its root file system cannot be written. Default: false.',
  'SecurityContext.allowPrivilegeEscalation':
    'Whether a process can gain more rights than its parent. Always so when privileged or with CAP_SYS_ADMIN. Default: true.',
  'SecurityContext.procMount':
    'Default (parts of /proc are hidden or read-only) or Unmasked (none are; needs hostUsers false). Empty: Default.',
  'SecurityContext.seccompProfile': 'Which system calls it may make. Default: as the pod says.',
  'SecurityContext.appArmorProfile': 'The AppArmor profile. Default: as the pod says.',
  Capabilities: 'Linux capabilities that a container has more or less than usual.',
  'Capabilities.add': 'Capabilities to add, without CAP_, such as NET_ADMIN.',
  'Capabilities.drop': 'Capabilities to take away; ALL takes all.',
  SELinuxOptions: 'An SELinux label.',
  'SELinuxOptions.user': 'The user part.',
  'SELinuxOptions.role': 'The role part.',
  'SELinuxOptions.type': 'The type part.',
  'SELinuxOptions.level': 'The level part, such as s0:c123,c456.',
  WindowsSecurityContextOptions: 'Settings of containers on Windows.',
  'WindowsSecurityContextOptions.gmsaCredentialSpecName':
    'The name of the GMSA credential spec to use.',
  'WindowsSecurityContextOptions.gmsaCredentialSpec':
    'The content of the GMSA credential spec. An admission webhook fills it in by the name.',
  'WindowsSecurityContextOptions.runAsUserName':
    'The user of the first process. Default: the user of the image.',
  'WindowsSecurityContextOptions.hostProcess':
    'Whether it runs directly on the node. All containers of a pod must agree, and hostNetwork must be true.',
  Sysctl: 'A kernel parameter.',
  'Sysctl.name': 'The name, such as net.ipv4.ip_local_port_range.',
  'Sysctl.value': 'The value.',
  SeccompProfile: 'Which system calls containers may make.',
  'SeccompProfile.type':
    'RuntimeDefault (as the runtime provides), Unconfined (all) or Localhost (a file on the node).',
  'SeccompProfile.localhostProfile':
    'The file, below the seccomp directory of the kubelet. Needed with Localhost, not allowed otherwise.',
  AppArmorProfile: 'The AppArmor profile that restricts containers.',
  'AppArmorProfile.type':
    'RuntimeDefault (as the runtime provides), Unconfined (none) or Localhost (one loaded on the node).',
  'AppArmorProfile.localhostProfile':
    'The name of the loaded profile. Needed with Localhost, not allowed otherwise.',

  Affinity: 'Rules about where a pod is placed. They count when it is scheduled, not afterwards.',
  'Affinity.nodeAffinity': 'Which nodes are required or preferred.',
  'Affinity.podAffinity': 'Near which other pods it must or should be.',
  'Affinity.podAntiAffinity': 'Near which other pods it must not or should not be.',
  NodeAffinity: 'Which nodes a pod must or should run on.',
  'NodeAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'A node must fit, or the pod is not placed there. Pods that run stay when the node changes.',
  'NodeAffinity.preferredDuringSchedulingIgnoredDuringExecution':
    'Nodes that fit are preferred: the weights of all terms that fit are added up.',
  PodAffinity: 'Pods near which a pod must or should run.',
  'PodAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'All terms must hold, or the pod is not placed there. Pods that run stay when this changes.',
  'PodAffinity.preferredDuringSchedulingIgnoredDuringExecution':
    'Nodes near such pods are preferred: the weights of all terms that hold are added up.',
  PodAntiAffinity: 'Pods near which a pod must not or should not run.',
  'PodAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution':
    'Nodes near pods of any term are ruled out. Pods that run stay when this changes.',
  'PodAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution':
    'Nodes near such pods are avoided if possible: the weights of all terms that hold count against them.',
  NodeSelector: 'A set of nodes.',
  'NodeSelector.nodeSelectorTerms': 'A node is in the set if at least one of the terms fits.',
  NodeSelectorTerm:
    'What a node must have; all requirements count. A term without any fits no node.',
  'NodeSelectorTerm.matchExpressions': 'Requirements on the labels of the node.',
  'NodeSelectorTerm.matchFields':
    'Requirements on fields of the node; only metadata.name is possible.',
  NodeSelectorRequirement: 'A requirement on a label or a field of a node.',
  'NodeSelectorRequirement.key': 'The key of the label, or the field.',
  'NodeSelectorRequirement.operator':
    'In, NotIn, Exists, DoesNotExist, Gt or Lt. NotIn and DoesNotExist keep pods away from nodes.',
  'NodeSelectorRequirement.values':
    'Values for In and NotIn; one integer for Gt and Lt; none for Exists and DoesNotExist.',
  PreferredSchedulingTerm:
    'A preference for some nodes. One without requirements makes no difference.',
  'PreferredSchedulingTerm.weight': 'How much it counts, 1 to 100.',
  'PreferredSchedulingTerm.preference': 'Which nodes are preferred.',
  PodAffinityTerm: 'Some pods, and what near means.',
  'PodAffinityTerm.namespaces':
    'Namespaces of those pods, beside those of namespaceSelector. Without both, the namespace of this pod.',
  'PodAffinityTerm.topologyKey':
    'A label of nodes; nodes with the same value of it are near each other, such as kubernetes.io/hostname.',
  'PodAffinityTerm.matchLabelKeys':
    'Labels that those pods must have with the same values as this pod. Needs labelSelector.',
  'PodAffinityTerm.mismatchLabelKeys':
    'Labels whose values must differ between those pods and this pod. Needs labelSelector.',
  WeightedPodAffinityTerm: 'A preference about which pods are near.',
  'WeightedPodAffinityTerm.weight': 'How much it counts, 1 to 100.',
  'WeightedPodAffinityTerm.podAffinityTerm': 'The pods, and what near means.',
  Toleration: 'A taint of nodes that does not keep a pod away.',
  'Toleration.key': 'The key of the taint. Empty, with Exists: every taint.',
  'Toleration.operator':
    'Equal, Exists (any value), or Lt and Gt: the taint has a lower or higher integer. Default: Equal.',
  'Toleration.value': 'The value that the taint is compared with. Empty with Exists.',
  'Toleration.effect': 'NoSchedule, PreferNoSchedule or NoExecute. Empty: all of them.',
  'Toleration.tolerationSeconds':
    'How long a running pod stays in spite of a NoExecute taint. Empty: for ever. 0 or less: it goes at once.',
  TopologySpreadConstraint: 'How evenly pods are spread over domains, such as zones.',
  'TopologySpreadConstraint.maxSkew':
    'By how many pods a domain may exceed the one with the fewest, at least 1.',
  'TopologySpreadConstraint.topologyKey':
    'A label of nodes; nodes with the same value of it are one domain.',
  'TopologySpreadConstraint.whenUnsatisfiable':
    'DoNotSchedule: the pod waits. ScheduleAnyway: it goes where the spread is most even.',
  'TopologySpreadConstraint.minDomains':
    'With fewer domains than this, the smallest count is taken as 0. Only with DoNotSchedule. Default: 1.',
  'TopologySpreadConstraint.nodeAffinityPolicy':
    'Honor: only nodes count that nodeSelector and nodeAffinity allow. Ignore: all do. Default: Honor.',
  'TopologySpreadConstraint.nodeTaintsPolicy':
    'Honor: nodes with taints count only if the pod tolerates them. Ignore: all do. Default: Ignore.',
  'TopologySpreadConstraint.matchLabelKeys':
    'Labels in which other pods must equal this pod to be counted, such as pod-template-hash. Needs labelSelector.',

  PodStatus: 'How a pod runs. It may lag behind, above all when its node cannot be reached.',
  'PodStatus.observedGeneration': 'The generation of the pod that this status is about.',
  'PodStatus.phase':
    'Pending, Running, Succeeded (all containers ended well), Failed (all ended, some not well) or Unknown.',
  'PodStatus.conditions':
    'What is known of it: PodScheduled, Initialized, ContainersReady, Ready and others.',
  'PodStatus.message': 'Why it is in this state, for people.',
  'PodStatus.reason': 'Why it is in this state, in one word, such as Evicted.',
  'PodStatus.nominatedNodeName':
    'The node where it will probably go, for instance once other pods have left. It may still go elsewhere.',
  'PodStatus.hostIP': 'The address of its node. Empty until the pod is on one.',
  'PodStatus.hostIPs': 'All addresses of its node; the first is hostIP.',
  'PodStatus.podIP': 'The address of the pod. Empty until it has one.',
  'PodStatus.podIPs':
    'All addresses of the pod, at most one for each of IPv4 and IPv6; the first is podIP.',
  'PodStatus.startTime': 'When its node took it, before images were pulled.',
  'PodStatus.initContainerStatuses': 'How the init containers are.',
  'PodStatus.containerStatuses': 'How the containers are.',
  'PodStatus.qosClass':
    'Guaranteed, Burstable or BestEffort, by requests and limits. It says who is evicted first.',
  'PodStatus.ephemeralContainerStatuses': 'How the ephemeral containers are.',
  'PodStatus.resize': 'Obsolete. See the conditions PodResizePending and PodResizeInProgress.',
  'PodStatus.resourceClaimStatuses': 'The claims that were made from templates.',
  'PodStatus.extendedResourceClaimStatus':
    'The claim that was made for extended resources which devices provide.',
  'PodStatus.allocatedResources': 'The requests of the whole pod to which its node has agreed.',
  'PodStatus.resources': 'Requests and limits of the whole pod that are in force.',
  'PodStatus.nodeAllocatableResourceClaimStatuses':
    'Cpu, memory and the like of the node that the pod has through claims.',
  PodCondition: 'One thing that is known of a pod.',
  'PodCondition.type': 'What it is about, such as Ready.',
  'PodCondition.observedGeneration': 'The generation of the pod that it is about.',
  'PodCondition.status': 'True, False or Unknown.',
  'PodCondition.lastProbeTime': 'When it was last looked at.',
  'PodCondition.lastTransitionTime': 'When the status last became another one.',
  'PodCondition.reason': 'Why, in one word for programs.',
  'PodCondition.message': 'Why, for people.',
  HostIP: 'An address of a node.',
  'HostIP.ip': 'The IP address.',
  PodIP: 'An address of a pod.',
  'PodIP.ip': 'The IP address.',
  PodResourceClaimStatus: 'What became of an entry of resourceClaims that names a template.',
  'PodResourceClaimStatus.name': 'The name of the entry.',
  'PodResourceClaimStatus.resourceClaimName':
    'The ResourceClaim that was made. Empty: none was needed.',
  PodExtendedResourceClaimStatus:
    'The ResourceClaim that the scheduler made for extended resources of a pod.',
  'PodExtendedResourceClaimStatus.requestMappings':
    'Which request of the claim stands for which resource of which container.',
  'PodExtendedResourceClaimStatus.resourceClaimName':
    'The ResourceClaim, in the namespace of the pod.',
  ContainerExtendedResourceRequest:
    'An extended resource of a container, and the request of a claim that stands for it.',
  'ContainerExtendedResourceRequest.containerName': 'The container.',
  'ContainerExtendedResourceRequest.resourceName': 'The extended resource.',
  'ContainerExtendedResourceRequest.requestName': 'The request in the claim.',
  NodeAllocatableResourceClaimStatus:
    'Cpu, memory and the like of a node that a claim has taken for a pod.',
  'NodeAllocatableResourceClaimStatus.resourceClaimName': 'The ResourceClaim.',
  'NodeAllocatableResourceClaimStatus.containers': 'The containers of the pod that use the claim.',

  ContainerStatus: 'How a container runs.',
  'ContainerStatus.name': 'The name of the container.',
  'ContainerStatus.state': 'Whether it waits, runs or has ended.',
  'ContainerStatus.lastState': 'How it ended the last time, once it has restarted.',
  'ContainerStatus.ready':
    'Whether it passes its readiness probe, or runs if it has none. An init container is ready once it has succeeded; a sidecar is like any other.',
  'ContainerStatus.restartCount':
    'How often it has restarted. It can start from 0 again when ended containers are cleaned up.',
  'ContainerStatus.image':
    'The image that it runs; the runtime may name it differently from the spec.',
  'ContainerStatus.imageID': 'The id of the image, often with its digest.',
  'ContainerStatus.containerID': 'The id of the container: runtime://id.',
  'ContainerStatus.started':
    'Whether its postStart hook is done and its startup probe has succeeded. False again after a restart.',
  'ContainerStatus.allocatedResources': 'The requests to which the node has agreed.',
  'ContainerStatus.resources': 'Requests and limits that are in force.',
  'ContainerStatus.volumeMounts': 'How its volumes are mounted.',
  'ContainerStatus.user': 'The user with which its first process started.',
  'ContainerStatus.allocatedResourcesStatus': 'How healthy the devices are that it was given.',
  'ContainerStatus.stopSignal': 'The signal that stops it.',
  ContainerState: 'What a container does. At most one is set; none means that it waits.',
  'ContainerState.waiting': 'It has not started: why.',
  'ContainerState.running': 'It runs: since when.',
  'ContainerState.terminated': 'It has ended: how.',
  ContainerStateWaiting: 'Why a container has not started.',
  'ContainerStateWaiting.reason':
    'Why, in one word, such as ContainerCreating, ImagePullBackOff or CrashLoopBackOff.',
  'ContainerStateWaiting.message': 'Why, for people.',
  ContainerStateRunning: 'Since when a container runs.',
  'ContainerStateRunning.startedAt': 'When it last started.',
  ContainerStateTerminated: 'How a container has ended.',
  'ContainerStateTerminated.exitCode': 'The exit code; 0 is success.',
  'ContainerStateTerminated.signal':
    'The number of the signal that ended it, if the runtime tells.',
  'ContainerStateTerminated.reason': 'Why, in one word, such as Completed, Error or OOMKilled.',
  'ContainerStateTerminated.message': 'What it wrote to its termination message, or why it ended.',
  'ContainerStateTerminated.startedAt': 'When it had started.',
  'ContainerStateTerminated.finishedAt': 'When it ended.',
  'ContainerStateTerminated.containerID': 'The id of the container: runtime://id.',
  ContainerUser: 'The user with which a container started.',
  'ContainerUser.linux':
    'User and groups on Linux. A process with enough rights can have changed them since.',
  LinuxContainerUser: 'User and groups of the first process of a container on Linux.',
  'LinuxContainerUser.uid': 'The user id.',
  'LinuxContainerUser.gid': 'The primary group id.',
  'LinuxContainerUser.supplementalGroups': 'Further group ids.',
  VolumeMountStatus: 'How a volume is mounted in a container.',
  'VolumeMountStatus.name': 'The name of the volume.',
  'VolumeMountStatus.mountPath': 'The path in the container.',
  'VolumeMountStatus.readOnly': 'Whether the container can only read it.',
  'VolumeMountStatus.recursiveReadOnly':
    'Enabled or Disabled: what became of recursiveReadOnly. Empty if it can be written.',
  'VolumeMountStatus.volumeStatus': 'What is known of the volume itself.',
  VolumeStatus: 'What is known of a mounted volume, by its kind.',
  'VolumeStatus.image': 'Which image is mounted, for a volume that is an image.',
  ResourceStatus: 'How healthy a resource of a container is.',
  'ResourceStatus.name':
    'The name of the resource, or claim:name/request for one that comes from a claim.',
  'ResourceStatus.resources': 'The health of each device.',
  ResourceHealth: 'The health of a device.',
  'ResourceHealth.resourceID':
    'The id of the device; pods with the same one on a node share the device.',
  'ResourceHealth.health': 'Healthy, Unhealthy (perhaps only for a while) or Unknown.',
  'ResourceHealth.message': 'More about it for people, if the driver tells.',
  'PodSpec.evictionResponders': 'Controllers that take part in the eviction of the pod.',
  EvictionResponder: 'A controller that takes part in the eviction of a pod.',
  'EvictionResponder.name': 'The name of the responder.',
  'EvictionResponder.priority': 'Responders with a higher priority are asked first.',
  'PodStatus.volumeHealth': 'The health of the volumes of the pod, by their name.',
  'NodeAllocatableResourceClaimStatus.mapping':
    'The resources of the node that the claim stands for.',
  'NodeAllocatableResourceClaimStatus.overhead':
    'The resources of the node that the claim costs besides.',
  NodeAllocatableMappedResources: 'An amount of one resource of the node.',
  'NodeAllocatableMappedResources.name': 'The name of the resource.',
  'NodeAllocatableMappedResources.quantity': 'The amount.',
  NodeAllocatableOverheadResources: 'What a claim costs of one resource of the node.',
  'NodeAllocatableOverheadResources.name': 'The name of the resource.',
  'NodeAllocatableOverheadResources.perPod': 'The amount for each pod that uses the claim.',
  'NodeAllocatableOverheadResources.perContainer':
    'The amount for each container that uses the claim.',
  'VolumeMount.bindMountOptions': 'Options of the bind mount, for example noexec.',
  'HTTPGetAction.protocol': 'The version of HTTP that is used: HTTP1 or HTTP2.',
  'GRPCAction.mode': 'Whether the connection is encrypted: Plaintext or TLS.',
});
