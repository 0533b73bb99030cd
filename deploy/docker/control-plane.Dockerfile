# The image of the control plane, and of the operator's command line (control-plane/admin.ts).
#
#     docker build --file deploy/docker/control-plane.Dockerfile --tag waymark/control-plane .
#
# Both images are made of one bundle (npm run bundle), so their first stage is the same and is built once.

# Debian, never Alpine: uWebSockets.js needs glibc.
FROM node:22-trixie-slim AS bundle
WORKDIR /checkout
COPY package.json package-lock.json ./
# Not npm ci: it requires the lock file to list the native parts of uWebSockets.js for every platform.
RUN npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN ["node", "deploy/bundle/main.ts", "/bundle"]
RUN ["mkdir", "/empty"]

# It has Node, glibc and certificates, and neither a shell nor a package manager. Its entry point is Node.
FROM gcr.io/distroless/nodejs22-debian13:nonroot
WORKDIR /waymark
COPY --from=bundle /bundle ./
# A new volume takes the owner of the folder on which it is mounted.
COPY --from=bundle --chown=65532:65532 /empty /var/lib/waymark
ENV HOME=/tmp \
    NODE_ENV=production \
    DATA_DIR=/var/lib/waymark
USER 65532:65532
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/nodejs/bin/node", "health.ts", "control-plane", "live"]
CMD ["control-plane/main.ts"]
