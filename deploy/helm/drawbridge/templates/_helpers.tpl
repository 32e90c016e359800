{{- define "drawbridge.labels" -}}
app.kubernetes.io/name: drawbridge
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "drawbridge.metadata" -}}
name: {{ .root.Release.Name }}-{{ .component }}
labels:
  {{- include "drawbridge.labels" . | nindent 2 }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- /* A pod, whatever it runs: not as root, with a root file system that it cannot write to, and no capabilities. */ -}}
{{- define "drawbridge.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
volumes:
  - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
  - { name: files, secret: { secretName: {{ .root.Values.secrets.files | quote }}, defaultMode: 0440 } }
  {{- with .root.Values.dataVolume }}
  - {{ toJson (merge (dict "name" "data") .) }}
  {{- end }}
  {{- with .root.Values.profileConfigMap }}
  - { name: profile, configMap: { name: {{ . | quote }} } }
  {{- end }}
{{- end }}

{{- define "drawbridge.container" -}}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: files, mountPath: /files, readOnly: true }
  {{- if .root.Values.dataVolume }}
  - { name: data, mountPath: /data }
  {{- end }}
  {{- if .root.Values.profileConfigMap }}
  - { name: profile, mountPath: /profile, readOnly: true }
  {{- end }}
envFrom:
  - secretRef: { name: {{ .root.Values.secrets.settings | quote }} }
env:
  {{- include "drawbridge.settings" .root | trim | nindent 2 }}
{{- end }}

{{- /* What the chart decides wins over what is given. As text, since merge replaces a zero. */ -}}
{{- define "drawbridge.settings" -}}
{{- $own := dict "SANDBOX" "false" "XS2A_PORT" "8443" "WEB_PORT" "3000" "DRAIN_SECONDS" (toString .Values.drainSeconds)
  "BANK_API_PORT" (toString .Values.bankApi.port) "STAFF_PORT" (toString .Values.staff.port) }}
{{- if .Values.dataVolume }}{{ $_ := set $own "DATA_DIR" "/data" }}{{ end }}
{{- if .Values.profileConfigMap }}{{ $_ := set $own "BANK_PROFILE" "/profile/bank.yaml" }}{{ end }}
{{- if .Values.tpp.metricsPort }}{{ $_ := set $own "XS2A_METRICS_PORT" .Values.tpp.metricsPort }}{{ end }}
{{- if .Values.web.metricsPort }}{{ $_ := set $own "WEB_METRICS_PORT" .Values.web.metricsPort }}{{ end }}
{{- range $name, $value := merge $own .Values.settings }}
- { name: {{ $name }}, value: {{ toString $value | quote }} }
{{- end }}
{{- end }}
