{{- define "dialplane.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "dialplane.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dialplane.labels" -}}
{{ include "dialplane.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "dialplane.image" -}}
{{- $repository := required "image.repository is missing: name an image of deploy/docker/Dockerfile in your registry" .Values.image.repository -}}
image: {{ printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* The required settings. A pod does not start if the Secret lacks one. */}}
{{- define "dialplane.database" -}}
{{- $secret := required "existingSecret is missing: name a Secret with DATABASE_URL and DIALPLANE_SECRET" .Values.existingSecret -}}
{{- range list "DATABASE_URL" "DIALPLANE_SECRET" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ $secret }}, key: {{ . }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The parts of every pod, also of the pod that migrates. */}}
{{- define "dialplane.podSecurity" -}}
automountServiceAccountToken: false
# Services of the namespace would be variables with names such as DIALPLANE_API_PORT.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "dialplane.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "dialplane.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.audio.existingClaim }}
- { name: audio, mountPath: /data }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "dialplane.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- with .Values.audio.existingClaim }}
- name: audio
  persistentVolumeClaim: { claimName: {{ . }} }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The settings of a process that serves. A gateway tells the others the name by which they reach it. */}}
{{- define "dialplane.env" -}}
{{- $root := .root -}}
{{- if not (or $root.Values.settings.S3_BUCKET $root.Values.audio.existingClaim) -}}
{{- fail "audio has no place that all pods see: set settings.S3_BUCKET, or audio.existingClaim" -}}
{{- end -}}
{{- $_ := required "settings.PUBLIC_URL is missing: the address at which callers reach the API" $root.Values.settings.PUBLIC_URL -}}
{{- include "dialplane.database" $root | trim }}
- { name: HOST, value: 0.0.0.0 }
- { name: PORT, value: "8080" }
- name: DIALPLANE_LAME_DUCK_SECONDS
  value: {{ int $root.Values.stop.lameDuckSeconds | quote }}
{{- if eq .role "gateway" }}
- name: DIALPLANE_DRAIN_SECONDS
  value: {{ int $root.Values.stop.drainSeconds | quote }}
- name: POD_NAME
  valueFrom:
    fieldRef: { fieldPath: metadata.name }
- name: GATEWAY_URL
  value: {{ printf "ws://$(POD_NAME).%s-gateways.%s.svc.%s:8080" (include "dialplane.fullname" $root) $root.Release.Namespace $root.Values.clusterDomain }}
{{- end }}
{{- range $name, $value := $root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* The pod of a role: root, role, values (of the role), graceSeconds. */}}
{{- define "dialplane.pod" -}}
metadata:
  # Leaves out the version: a new version of the chart alone then replaces no pod, and ends no call.
  labels:
    {{- include "dialplane.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  {{- with .values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "dialplane.podSecurity" .root | nindent 2 }}
  # Longer than a stop takes. There is no preStop: after SIGTERM the program is not ready, and accepts connections for
  # DIALPLANE_LAME_DUCK_SECONDS.
  terminationGracePeriodSeconds: {{ .graceSeconds }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "dialplane.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- with .values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: dialplane
      {{- include "dialplane.image" .root | nindent 6 }}
      args: [start, --roles, {{ .role }}]
      {{- include "dialplane.containerSecurity" .root | nindent 6 }}
      envFrom:
        - secretRef: { name: {{ .root.Values.existingSecret }} }
      env:
        {{- include "dialplane.env" . | nindent 8 }}
      ports:
        - { name: http, containerPort: 8080 }
      # A process listens only after the database is migrated.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 3
      # The program asks the database, for 2 s at most.
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 2
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      volumeMounts:
        {{- include "dialplane.mounts" .root | nindent 8 }}
  volumes:
    {{- include "dialplane.volumes" .root | nindent 4 }}
{{- end }}
