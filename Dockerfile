# syntax=docker/dockerfile:1
# One image for all services; the command decides which part of AURUM runs.

FROM python:3.12-slim AS wheel
WORKDIR /build
COPY pyproject.toml README.md CHANGELOG.md LICENSE ./
COPY src ./src
COPY workers ./workers
COPY bpmn ./bpmn
COPY dmn ./dmn
COPY examples ./examples
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 AURUM_DATA_DIR=/data

# Dependencies first: they change rarely, so the layer is reused. Every file is checked against its hash.
COPY requirements.lock /tmp/requirements.lock
RUN pip install --no-cache-dir --require-hashes -r /tmp/requirements.lock && rm /tmp/requirements.lock

COPY --from=wheel /wheels /tmp/wheels
RUN pip install --no-cache-dir --no-deps --no-index /tmp/wheels/*.whl && rm -r /tmp/wheels

# A new volume takes owner and mode of the folder it is mounted over.
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin aurum \
    && install -d -o aurum -g aurum -m 0700 /data
USER aurum
WORKDIR /data
VOLUME /data
EXPOSE 8000 8080 26500
STOPSIGNAL SIGTERM
ENTRYPOINT ["aurum"]
CMD ["up"]
