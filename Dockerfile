# Both hosts and the bank's commands (docs/kubernetes.md, "Image, compose file, chart").
# The base needs glibc and libstdc++; it needs no shell, no package manager and, besides Node's binary, no Node.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=gcr.io/distroless/cc-debian12

FROM ${NODE_IMAGE} AS build
ENV NEXT_TELEMETRY_DISABLED=1
WORKDIR /drawbridge
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run image:files

FROM ${BASE_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /drawbridge/dist/image /app
COPY --from=build --chown=65532:65532 /drawbridge/dist/data /data
WORKDIR /app
USER 65532:65532
# Outside a sandbox nothing is kept there: the root file system may be read-only, with a tmpfs at /tmp. What is to be kept
# goes to a volume at /data.
ENV NODE_ENV=production DATA_DIR=/tmp
EXPOSE 8443 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/node", "--max-semi-space-size=16"]
CMD [".next/drawbridge/tpp.mjs"]
