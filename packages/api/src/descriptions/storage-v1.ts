/** Words for `kubectl explain`, by type and by field. */
export const descriptions = (): Readonly<Record<string, string>> => ({
  StorageClass: 'A kind of storage, and who makes volumes of it for claims that name it.',
  'StorageClass.provisioner':
    'Who makes the volumes: a CSI driver, or kubernetes.io/no-provisioner for nobody. It cannot be changed.',
  'StorageClass.parameters':
    'What the provisioner is told, up to 512 keys and 256 KiB. It cannot be changed.',
  'StorageClass.reclaimPolicy':
    'What becomes of a volume without its claim: Delete (unless it is said) or Retain. It cannot be changed.',
  'StorageClass.mountOptions':
    'Options for mounting the volumes, such as noatime. Nobody checks them; wrong ones fail at the mount.',
  'StorageClass.allowVolumeExpansion':
    'Whether claims may ask for more than they have. Empty: they may not.',
  'StorageClass.volumeBindingMode':
    'Immediate (unless it is said), or WaitForFirstConsumer: when a pod with the claim is scheduled. It cannot be changed.',
  'StorageClass.allowedTopologies':
    'Where volumes may be made, by labels of nodes. Empty: anywhere.',

  VolumeAttributesClass: 'Qualities of volumes that claims may name, and change later.',
  'VolumeAttributesClass.driverName':
    'The CSI driver that has these qualities. It cannot be changed.',
  'VolumeAttributesClass.parameters':
    'What the driver is told: 1 to 512 keys, up to 256 KiB. They cannot be changed; make another class.',

  CSIDriver: 'A CSI driver of the cluster and what it needs. It is named as the driver is.',
  'CSIDriver.spec': 'What the driver needs and can do.',

  CSIDriverSpec: 'What a CSI driver needs and can do.',
  'CSIDriverSpec.attachRequired':
    'Whether volumes are attached to a node before they are mounted, true unless it is said. It cannot be changed.',
  'CSIDriverSpec.podInfoOnMount':
    'Whether the driver is told name, namespace, uid and service account of the pod, false unless it is said.',
  'CSIDriverSpec.volumeLifecycleModes':
    'Persistent (unless it is said): volumes of claims. Ephemeral: volumes inside pods. It cannot be changed.',
  'CSIDriverSpec.storageCapacity':
    'Whether pods are scheduled by what CSIStorageCapacity objects report, false unless it is said.',
  'CSIDriverSpec.fsGroupPolicy':
    'Whether fsGroup of pods changes owners of files: File always, None never, ReadWriteOnceWithFSType (unless it is said) for ReadWriteOnce volumes with an fsType.',
  'CSIDriverSpec.tokenRequests':
    'Tokens of the service account of the pod that the driver is given at the mount, each for another audience.',
  'CSIDriverSpec.requiresRepublish':
    'Whether NodePublishVolume is called again and again to refresh volumes, false unless it is said.',
  'CSIDriverSpec.seLinuxMount':
    'Whether volumes can be mounted with an SELinux context (-o context), false unless it is said.',
  'CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds':
    'How often the count of volumes in CSINode is refreshed, at least 10 seconds. Empty: never.',
  'CSIDriverSpec.serviceAccountTokenInSecrets':
    'Whether tokens are given as secrets instead of in the volume context. Only with tokenRequests.',
  'CSIDriverSpec.preventPodSchedulingIfMissing':
    'Whether pods with its volumes stay off nodes without the driver, false unless it is said. Alpha: VolumeLimitScaling.',

  TokenRequest: 'A token of a service account that a CSI driver is given.',
  'TokenRequest.audience': 'Whom the token is for. "": the API server.',
  'TokenRequest.expirationSeconds':
    'How long it is valid, at least 600 seconds, 3600 unless it is said.',

  CSINode: 'The CSI drivers of a node. It is named as the node is, and the kubelet writes it.',
  'CSINode.spec': 'The drivers of the node.',

  CSINodeSpec: 'The CSI drivers of a node.',
  'CSINodeSpec.drivers': 'The drivers. Empty: none is installed.',

  CSINodeDriver: 'A CSI driver on a node.',
  'CSINodeDriver.name': 'The name of the driver.',
  'CSINodeDriver.nodeID': 'What the driver calls the node, up to 256 characters.',
  'CSINodeDriver.topologyKeys':
    'Labels of the node that tell the driver where it is, such as its zone. Empty: it is all the same.',
  'CSINodeDriver.allocatable': 'How many volumes of the driver the node can have.',

  VolumeNodeResources: 'How many volumes a node can have.',
  'VolumeNodeResources.count':
    'How many different volumes of the driver, each counted once. Empty: any number.',

  CSIStorageCapacity: 'How much storage of a class is left, for some nodes. CSI drivers report it.',
  'CSIStorageCapacity.nodeTopology':
    'Labels of the nodes that reach the storage. Empty: all nodes; missing: none. It cannot be changed.',
  'CSIStorageCapacity.storageClassName': 'The class of the storage. It cannot be changed.',
  'CSIStorageCapacity.capacity':
    'How much is left, in bytes. Missing: it is not known, which counts as none.',
  'CSIStorageCapacity.maximumVolumeSize':
    'The largest volume that can be made, in bytes. The scheduler looks here before at capacity.',

  VolumeAttachment: 'That a volume should be attached to a node. Deleting it detaches the volume.',
  'VolumeAttachment.spec': 'Which volume and node, and who attaches. It cannot be changed.',
  'VolumeAttachment.status': 'How far it is. The attacher writes it.',

  VolumeAttachmentSpec: 'Which volume and node, and who attaches.',
  'VolumeAttachmentSpec.attacher': 'The driver that attaches, up to 63 characters.',
  'VolumeAttachmentSpec.source': 'The volume.',
  'VolumeAttachmentSpec.nodeName': 'The node.',

  VolumeAttachmentSource: 'The volume that is attached. One of the fields is set.',
  'VolumeAttachmentSource.persistentVolumeName': 'The name of a PersistentVolume.',
  'VolumeAttachmentSource.inlineVolumeSpec':
    'A volume written inside a pod, as its CSI driver knows it. Only for types of volumes that moved to CSI.',

  VolumeAttachmentStatus: 'How far attaching or detaching is. The attacher writes it.',
  'VolumeAttachmentStatus.attached': 'Whether the volume is attached.',
  'VolumeAttachmentStatus.attachmentMetadata':
    'What attaching gave that mounting needs, up to 256 KiB.',
  'VolumeAttachmentStatus.attachError': 'Why attaching last failed.',
  'VolumeAttachmentStatus.detachError': 'Why detaching last failed.',

  VolumeError: 'Why something with a volume failed.',
  'VolumeError.time': 'When.',
  'VolumeError.message': 'What happened, up to 1024 bytes. It can get into logs: no secrets.',
  'VolumeError.errorCode': 'The code that the driver gave over gRPC, not negative.',
  'CSINode.status': 'The health of the storage that the drivers on the node report.',
  CSINodeStatus: 'The health of the storage that the drivers on a node report.',
  'CSINodeStatus.storageHealth': 'The health that each driver reports, by the name of the driver.',
  StorageHealth: 'The health that one driver reports.',
  'StorageHealth.name': 'The name of the CSI driver.',
  'StorageHealth.healthConditions':
    'The problems that the driver reports. An empty list means none.',
  StorageHealthCondition: 'One problem of the storage behind a driver.',
  'StorageHealthCondition.status': 'The kind of problem: StorageDegraded or StorageUnreachable.',
  'StorageHealthCondition.reason': 'A short word for the cause, for programs.',
  'StorageHealthCondition.message': 'The cause, for people.',
  'StorageHealthCondition.accessMode': 'The access mode that is affected; all of them when absent.',
  'StorageHealthCondition.volumeMode': 'The volume mode that is affected; all of them when absent.',
  'StorageHealthCondition.lastTransitionTime': 'When the problem was first reported.',
});
