# syntax=docker/dockerfile:1
# Thresher in a container, as a user without rights.
#   docker build -t thresher .                                 without a browser
#   docker build -t thresher:browser --target browser .        with Chromium, for pages that JavaScript fills
# The steps are those of container/wheels and container/install, which tests/test_container.py runs in a virtual environment.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN container/wheels /wheels

FROM python:${PYTHON}-slim-bookworm AS base
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin thresher && mkdir /data && chown thresher: /data
COPY --chmod=755 container/install container/health /usr/local/lib/thresher/
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels /usr/local/lib/thresher/install /wheels
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 XDG_DATA_HOME=/data
USER thresher
WORKDIR /data
VOLUME /data
EXPOSE 8177 8178
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["/usr/local/lib/thresher/health", "8177", "8178"]
ENTRYPOINT ["thresher"]
CMD ["--help"]

FROM base AS browser
USER root
RUN apt-get update && apt-get install -y --no-install-recommends chromium chromium-sandbox fonts-dejavu-core fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
USER thresher

FROM base AS plain
