/**
 * Upstream's internal structs of the core kinds, which it shows in errors: fields in order, with their names, those of
 * v1 where these differ in more than case, and their types. From its types.go, release 1.37.
 */
export const internalStructs: Readonly<Record<string, string>> = {
  AWSElasticBlockStoreVolumeSource:
    'VolumeID string, FSType=fsType string, Partition int, ReadOnly bool',
  Affinity:
    'NodeAffinity *NodeAffinity, PodAffinity *PodAffinity, PodAntiAffinity *PodAntiAffinity',
  AppArmorProfile: 'Type string, LocalhostProfile *string',
  AzureDiskVolumeSource:
    'DiskName string, DataDiskURI=diskURI string, CachingMode *string, FSType=fsType *string, ReadOnly *bool, Kind *string',
  AzureFilePersistentVolumeSource:
    'SecretName string, ShareName string, ReadOnly bool, SecretNamespace *string',
  AzureFileVolumeSource: 'SecretName string, ShareName string, ReadOnly bool',
  CSIPersistentVolumeSource:
    'Driver string, VolumeHandle string, ReadOnly bool, FSType=fsType string, VolumeAttributes {}string, ControllerPublishSecretRef *SecretReference, NodeStageSecretRef *SecretReference, NodePublishSecretRef *SecretReference, ControllerExpandSecretRef *SecretReference, NodeExpandSecretRef *SecretReference',
  CSIVolumeSource:
    'Driver string, ReadOnly *bool, FSType=fsType *string, VolumeAttributes {}string, NodePublishSecretRef *LocalObjectReference',
  Capabilities: 'Add []string, Drop []string',
  CephFSPersistentVolumeSource:
    'Monitors []string, Path string, User string, SecretFile string, SecretRef *SecretReference, ReadOnly bool',
  CephFSVolumeSource:
    'Monitors []string, Path string, User string, SecretFile string, SecretRef *LocalObjectReference, ReadOnly bool',
  CinderPersistentVolumeSource:
    'VolumeID string, FSType=fsType string, ReadOnly bool, SecretRef *SecretReference',
  CinderVolumeSource:
    'VolumeID string, FSType=fsType string, ReadOnly bool, SecretRef *LocalObjectReference',
  ClusterTrustBundleProjection:
    'Name *string, SignerName *string, LabelSelector *same, Optional *bool, Path string, User *int',
  ConfigMapEnvSource: 'Name string, Optional *bool',
  ConfigMapKeySelector: 'Name string, Key string, Optional *bool',
  ConfigMapProjection: 'Name string, Items []KeyToPath, Optional *bool',
  ConfigMapVolumeSource:
    'Name string, Items []KeyToPath, DefaultMode *int, Optional *bool, DefaultUser *int',
  Container:
    'Name string, Image string, Command []string, Args []string, WorkingDir string, Ports []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy []ContainerResizePolicy, RestartPolicy *string, RestartPolicyRules []ContainerRestartRule, VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe, StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath string, TerminationMessagePolicy string, ImagePullPolicy string, SecurityContext *SecurityContext, Stdin bool, StdinOnce bool, TTY=tty bool',
  ContainerPort: 'Name string, HostPort int, ContainerPort int, Protocol string, HostIP string',
  ContainerResizePolicy: 'ResourceName string, RestartPolicy string',
  ContainerRestartRule: 'Action string, ExitCodes *ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'Operator string, Values []int',
  DownwardAPIProjection: 'Items []DownwardAPIVolumeFile',
  DownwardAPIVolumeFile:
    'Path string, FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, Mode *int, User *int',
  DownwardAPIVolumeSource: 'Items []DownwardAPIVolumeFile, DefaultMode *int, DefaultUser *int',
  EmptyDirVolumeSource: 'Medium string, SizeLimit *quantity, Mode *int',
  EnvFromSource: 'Prefix string, ConfigMapRef *ConfigMapEnvSource, SecretRef *SecretEnvSource',
  EnvVar: 'Name string, Value string, ValueFrom *EnvVarSource',
  EnvVarSource:
    'FieldRef *ObjectFieldSelector, ResourceFieldRef *ResourceFieldSelector, ConfigMapKeyRef *ConfigMapKeySelector, SecretKeyRef *SecretKeySelector, FileKeyRef *FileKeySelector',
  EphemeralContainer:
    'Name string, Image string, Command []string, Args []string, WorkingDir string, Ports []ContainerPort, EnvFrom []EnvFromSource, Env []EnvVar, Resources ResourceRequirements, ResizePolicy []ContainerResizePolicy, RestartPolicy *string, RestartPolicyRules []ContainerRestartRule, VolumeMounts []VolumeMount, VolumeDevices []VolumeDevice, LivenessProbe *Probe, ReadinessProbe *Probe, StartupProbe *Probe, Lifecycle *Lifecycle, TerminationMessagePath string, TerminationMessagePolicy string, ImagePullPolicy string, SecurityContext *SecurityContext, Stdin bool, StdinOnce bool, TTY=tty bool, TargetContainerName string',
  EphemeralVolumeSource: 'VolumeClaimTemplate *PersistentVolumeClaimTemplate',
  EvictionResponder: 'Name string, Priority *int',
  ExecAction: 'Command []string',
  FCVolumeSource:
    'TargetWWNs []string, Lun *int, FSType=fsType string, ReadOnly bool, WWIDs=wwids []string',
  FileKeySelector: 'VolumeName string, Path string, Key string, Optional *bool',
  FlexPersistentVolumeSource:
    'Driver string, FSType=fsType string, SecretRef *SecretReference, ReadOnly bool, Options {}string',
  FlexVolumeSource:
    'Driver string, FSType=fsType string, SecretRef *LocalObjectReference, ReadOnly bool, Options {}string',
  FlockerVolumeSource: 'DatasetName string, DatasetUUID string',
  GCEPersistentDiskVolumeSource:
    'PDName=pdName string, FSType=fsType string, Partition int, ReadOnly bool',
  GRPCAction: 'Port int, Service *string, Mode *string',
  GitRepoVolumeSource: 'Repository string, Revision string, Directory string',
  GlusterfsPersistentVolumeSource:
    'EndpointsName=endpoints string, Path string, ReadOnly bool, EndpointsNamespace *string',
  GlusterfsVolumeSource: 'EndpointsName=endpoints string, Path string, ReadOnly bool',
  HTTPGetAction:
    'Path string, Port same, Host string, Scheme string, HTTPHeaders=httpHeaders []HTTPHeader, Protocol *string',
  HTTPHeader: 'Name string, Value string',
  HostAlias: 'IP=ip string, Hostnames []string',
  HostPathVolumeSource: 'Path string, Type *string',
  ISCSIPersistentVolumeSource:
    'TargetPortal string, IQN=iqn string, Lun int, ISCSIInterface=iscsiInterface string, FSType=fsType string, ReadOnly bool, Portals []string, DiscoveryCHAPAuth=chapAuthDiscovery bool, SessionCHAPAuth=chapAuthSession bool, SecretRef *SecretReference, InitiatorName *string',
  ISCSIVolumeSource:
    'TargetPortal string, IQN=iqn string, Lun int, ISCSIInterface=iscsiInterface string, FSType=fsType string, ReadOnly bool, Portals []string, DiscoveryCHAPAuth=chapAuthDiscovery bool, SessionCHAPAuth=chapAuthSession bool, SecretRef *LocalObjectReference, InitiatorName *string',
  ImageVolumeSource: 'Reference string, PullPolicy string',
  KeyToPath: 'Key string, Path string, Mode *int, User *int',
  Lifecycle: 'PostStart *LifecycleHandler, PreStop *LifecycleHandler, StopSignal *string',
  LifecycleHandler:
    'Exec *ExecAction, HTTPGet=httpGet *HTTPGetAction, TCPSocket=tcpSocket *TCPSocketAction, Sleep *SleepAction',
  LocalObjectReference: 'Name string',
  LocalVolumeSource: 'Path string, FSType=fsType *string',
  ModifyVolumeStatus: 'TargetVolumeAttributesClassName string, Status string',
  NFSVolumeSource: 'Server string, Path string, ReadOnly bool',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution *NodeSelector, PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm',
  NodeSelector: 'NodeSelectorTerms []NodeSelectorTerm',
  NodeSelectorRequirement: 'Key string, Operator string, Values []string',
  NodeSelectorTerm:
    'MatchExpressions []NodeSelectorRequirement, MatchFields []NodeSelectorRequirement',
  ObjectFieldSelector: 'APIVersion=apiVersion string, FieldPath string',
  ObjectReference:
    'Kind string, Namespace string, Name string, UID=uid string, APIVersion=apiVersion string, ResourceVersion string, FieldPath string',
  PersistentVolumeClaim:
    'metadata members, Spec PersistentVolumeClaimSpec, Status PersistentVolumeClaimStatus',
  PersistentVolumeClaimCondition:
    'Type string, Status string, LastProbeTime time, LastTransitionTime time, Reason string, Message string',
  PersistentVolumeClaimSpec:
    'AccessModes []string, Selector *same, Resources VolumeResourceRequirements, VolumeName string, StorageClassName *string, VolumeMode *string, DataSource *TypedLocalObjectReference, DataSourceRef *TypedObjectReference, VolumeAttributesClassName *string',
  PersistentVolumeClaimStatus:
    'Phase string, AccessModes []string, Capacity {}quantity, Conditions []PersistentVolumeClaimCondition, AllocatedResources {}quantity, AllocatedResourceStatuses {}string, CurrentVolumeAttributesClassName *string, ModifyVolumeStatus *ModifyVolumeStatus, HealthStatus *VolumeHealthStatus',
  PersistentVolumeClaimTemplate: 'metadata members, Spec PersistentVolumeClaimSpec',
  PersistentVolumeClaimVolumeSource: 'ClaimName string, ReadOnly bool',
  PersistentVolumeSource:
    'GCEPersistentDisk=gcePersistentDisk *GCEPersistentDiskVolumeSource, AWSElasticBlockStore=awsElasticBlockStore *AWSElasticBlockStoreVolumeSource, HostPath *HostPathVolumeSource, Glusterfs *GlusterfsPersistentVolumeSource, NFS=nfs *NFSVolumeSource, RBD=rbd *RBDPersistentVolumeSource, ISCSI=iscsi *ISCSIPersistentVolumeSource, Cinder *CinderPersistentVolumeSource, CephFS=cephfs *CephFSPersistentVolumeSource, FC=fc *FCVolumeSource, Flocker *FlockerVolumeSource, FlexVolume *FlexPersistentVolumeSource, AzureFile *AzureFilePersistentVolumeSource, VsphereVolume *VsphereVirtualDiskVolumeSource, Quobyte *QuobyteVolumeSource, AzureDisk *AzureDiskVolumeSource, PhotonPersistentDisk *PhotonPersistentDiskVolumeSource, PortworxVolume *PortworxVolumeSource, ScaleIO *ScaleIOPersistentVolumeSource, Local *LocalVolumeSource, StorageOS=storageos *StorageOSPersistentVolumeSource, CSI=csi *CSIPersistentVolumeSource',
  PhotonPersistentDiskVolumeSource: 'PdID string, FSType=fsType string',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm',
  PodAffinityTerm:
    'LabelSelector *same, Namespaces []string, TopologyKey string, NamespaceSelector *same, MatchLabelKeys []string, MismatchLabelKeys []string',
  PodAntiAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm',
  PodCertificateProjection:
    'SignerName string, KeyType string, MaxExpirationSeconds *int, CredentialBundlePath string, KeyPath string, CertificateChainPath string, UserAnnotations {}string, User *int',
  PodDNSConfig: 'Nameservers []string, Searches []string, Options []PodDNSConfigOption',
  PodDNSConfigOption: 'Name string, Value *string',
  PodOS: 'Name string',
  PodReadinessGate: 'ConditionType string',
  PodResourceClaim: 'Name string, ResourceClaimName *string, ResourceClaimTemplateName *string',
  PodSchedulingGate: 'Name string',
  PodSchedulingGroup: 'PodGroupName *string',
  PodSecurityContext:
    'SELinuxOptions=seLinuxOptions *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser *int, RunAsGroup *int, RunAsNonRoot *bool, SupplementalGroups []int, SupplementalGroupsPolicy *string, FSGroup=fsGroup *int, Sysctls []Sysctl, FSGroupChangePolicy=fsGroupChangePolicy *string, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile, SELinuxChangePolicy=seLinuxChangePolicy *string',
  PodSpec:
    'Volumes []Volume, InitContainers []Container, Containers []Container, EphemeralContainers []EphemeralContainer, RestartPolicy string, TerminationGracePeriodSeconds *int, ActiveDeadlineSeconds *int, DNSPolicy=dnsPolicy string, NodeSelector {}string, ServiceAccountName string, DeprecatedServiceAccount=serviceAccount string, AutomountServiceAccountToken *bool, NodeName string, HostNetwork bool, HostPID bool, HostIPC bool, ShareProcessNamespace *bool, SecurityContext *PodSecurityContext, ImagePullSecrets []LocalObjectReference, Hostname string, Subdomain string, Affinity *Affinity, SchedulerName string, Tolerations []Toleration, HostAliases []HostAlias, PriorityClassName string, Priority *int, DNSConfig=dnsConfig *PodDNSConfig, ReadinessGates []PodReadinessGate, RuntimeClassName *string, EnableServiceLinks *bool, PreemptionPolicy *string, Overhead {}quantity, TopologySpreadConstraints []TopologySpreadConstraint, SetHostnameAsFQDN *bool, OS=os *PodOS, HostUsers *bool, SchedulingGates []PodSchedulingGate, ResourceClaims []PodResourceClaim, Resources *ResourceRequirements, HostnameOverride *string, SchedulingGroup *PodSchedulingGroup, EvictionResponders []EvictionResponder',
  PortworxVolumeSource: 'VolumeID string, FSType=fsType string, ReadOnly bool',
  PreferredSchedulingTerm: 'Weight int, Preference NodeSelectorTerm',
  Probe:
    'Exec *ExecAction, HTTPGet=httpGet *HTTPGetAction, TCPSocket=tcpSocket *TCPSocketAction, GRPC=grpc *GRPCAction, InitialDelaySeconds int, TimeoutSeconds int, PeriodSeconds int, SuccessThreshold int, FailureThreshold int, TerminationGracePeriodSeconds *int',
  ProjectedVolumeSource: 'Sources []VolumeProjection, DefaultMode *int, DefaultUser *int',
  QuobyteVolumeSource:
    'Registry string, Volume string, ReadOnly bool, User string, Group string, Tenant string',
  RBDPersistentVolumeSource:
    'CephMonitors=monitors []string, RBDImage=image string, FSType=fsType string, RBDPool=pool string, RadosUser=user string, Keyring string, SecretRef *SecretReference, ReadOnly bool',
  RBDVolumeSource:
    'CephMonitors=monitors []string, RBDImage=image string, FSType=fsType string, RBDPool=pool string, RadosUser=user string, Keyring string, SecretRef *LocalObjectReference, ReadOnly bool',
  ResourceClaim: 'Name string, Request string',
  ResourceFieldSelector: 'ContainerName string, Resource string, Divisor quantity',
  ResourceRequirements: 'Limits {}quantity, Requests {}quantity, Claims []ResourceClaim',
  SELinuxOptions: 'User string, Role string, Type string, Level string',
  ScaleIOPersistentVolumeSource:
    'Gateway string, System string, SecretRef *SecretReference, SSLEnabled=sslEnabled bool, ProtectionDomain string, StoragePool string, StorageMode string, VolumeName string, FSType=fsType string, ReadOnly bool',
  ScaleIOVolumeSource:
    'Gateway string, System string, SecretRef *LocalObjectReference, SSLEnabled=sslEnabled bool, ProtectionDomain string, StoragePool string, StorageMode string, VolumeName string, FSType=fsType string, ReadOnly bool',
  SeccompProfile: 'Type string, LocalhostProfile *string',
  SecretEnvSource: 'Name string, Optional *bool',
  SecretKeySelector: 'Name string, Key string, Optional *bool',
  SecretProjection: 'Name string, Items []KeyToPath, Optional *bool',
  SecretReference: 'Name string, Namespace string',
  SecretVolumeSource:
    'SecretName string, Items []KeyToPath, DefaultMode *int, Optional *bool, DefaultUser *int',
  SecurityContext:
    'Capabilities *Capabilities, Privileged *bool, SELinuxOptions=seLinuxOptions *SELinuxOptions, WindowsOptions *WindowsSecurityContextOptions, RunAsUser *int, RunAsGroup *int, RunAsNonRoot *bool, ReadOnlyRootFilesystem *bool, AllowPrivilegeEscalation *bool, ProcMount *string, SeccompProfile *SeccompProfile, AppArmorProfile *AppArmorProfile',
  ServiceAccountTokenProjection: 'Audience string, ExpirationSeconds *int, Path string, User *int',
  SleepAction: 'Seconds int',
  StorageOSPersistentVolumeSource:
    'VolumeName string, VolumeNamespace string, FSType=fsType string, ReadOnly bool, SecretRef *ObjectReference',
  StorageOSVolumeSource:
    'VolumeName string, VolumeNamespace string, FSType=fsType string, ReadOnly bool, SecretRef *LocalObjectReference',
  Sysctl: 'Name string, Value string',
  TCPSocketAction: 'Port same, Host string',
  Toleration: 'Key string, Operator string, Value string, Effect string, TolerationSeconds *int',
  TopologySpreadConstraint:
    'MaxSkew int, TopologyKey string, WhenUnsatisfiable string, LabelSelector *same, MinDomains *int, NodeAffinityPolicy *string, NodeTaintsPolicy *string, MatchLabelKeys []string',
  TypedLocalObjectReference: 'APIGroup=apiGroup *string, Kind string, Name string',
  TypedObjectReference: 'APIGroup=apiGroup *string, Kind string, Name string, Namespace *string',
  Volume:
    'Name string, HostPath *HostPathVolumeSource, EmptyDir *EmptyDirVolumeSource, GCEPersistentDisk=gcePersistentDisk *GCEPersistentDiskVolumeSource, AWSElasticBlockStore=awsElasticBlockStore *AWSElasticBlockStoreVolumeSource, GitRepo *GitRepoVolumeSource, Secret *SecretVolumeSource, NFS=nfs *NFSVolumeSource, ISCSI=iscsi *ISCSIVolumeSource, Glusterfs *GlusterfsVolumeSource, PersistentVolumeClaim *PersistentVolumeClaimVolumeSource, RBD=rbd *RBDVolumeSource, FlexVolume *FlexVolumeSource, Cinder *CinderVolumeSource, CephFS=cephfs *CephFSVolumeSource, Flocker *FlockerVolumeSource, DownwardAPI *DownwardAPIVolumeSource, FC=fc *FCVolumeSource, AzureFile *AzureFileVolumeSource, ConfigMap *ConfigMapVolumeSource, VsphereVolume *VsphereVirtualDiskVolumeSource, Quobyte *QuobyteVolumeSource, AzureDisk *AzureDiskVolumeSource, PhotonPersistentDisk *PhotonPersistentDiskVolumeSource, Projected *ProjectedVolumeSource, PortworxVolume *PortworxVolumeSource, ScaleIO *ScaleIOVolumeSource, StorageOS=storageos *StorageOSVolumeSource, CSI=csi *CSIVolumeSource, Ephemeral *EphemeralVolumeSource, Image *ImageVolumeSource',
  VolumeDevice: 'Name string, DevicePath string',
  VolumeHealthCondition: 'Status string, Reason string, Message string',
  VolumeHealthStatus: 'HealthConditions []VolumeHealthCondition, LastTransitionTime time',
  VolumeMount:
    'Name string, ReadOnly bool, RecursiveReadOnly *string, MountPath string, SubPath string, MountPropagation *string, SubPathExpr string, BindMountOptions []string',
  VolumeProjection:
    'Secret *SecretProjection, DownwardAPI *DownwardAPIProjection, ConfigMap *ConfigMapProjection, ServiceAccountToken *ServiceAccountTokenProjection, ClusterTrustBundle *ClusterTrustBundleProjection, PodCertificate *PodCertificateProjection',
  VolumeResourceRequirements: 'Limits {}quantity, Requests {}quantity',
  VsphereVirtualDiskVolumeSource:
    'VolumePath string, FSType=fsType string, StoragePolicyName string, StoragePolicyID string',
  WeightedPodAffinityTerm: 'Weight int, PodAffinityTerm PodAffinityTerm',
  WindowsSecurityContextOptions:
    'GMSACredentialSpecName=gmsaCredentialSpecName *string, GMSACredentialSpec=gmsaCredentialSpec *string, RunAsUserName *string, HostProcess *bool',
};
