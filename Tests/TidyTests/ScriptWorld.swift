import Foundation
import TestKit

/// A checkout of its own for the scripts in Tools, with a toolchain and package manager that only pretend.
///
/// Everything, the pretended programs included, is written and run by one bash, which removes it again.
struct ScriptWorld {
  /// Exit status of the scenario.
  let status: Int32
  /// All that it printed, on both channels.
  let output: String

  /// Runs a scenario in bash after the preparation below.
  init(_ scenario: String) throws {
    let pipe = Pipe()
    let process = try ChildProcess(
      ["/bin/bash", "-c", ScriptWorld.preparation + "\n" + scenario],
      in: PackageFolder.file("Tools").path, output: .pipe(pipe), errors: .pipe(pipe))
    output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    status = process.terminationStatus
  }

  /// `run` gives the scripts a path with nothing on it but what is linked or pretended here; `$log` has one
  /// line for each call of a pretended program. Sources are old, so that a build is surely newer.
  private static let preparation = #"""
    set -u
    world=$(mktemp -d) && trap 'rm -rf -- "$world"' EXIT
    root="$world/a checkout" bin="$world/bin" log="$world/log" installed="$world/installed"
    export log installed
    mkdir -p "$root/Sources/Rules" "$root/Bots" "$root/Tools/CLI" "$bin" "$installed"
    touch "$root/Package.swift" "$root/Sources/Rules/A.swift" "$root/Sources/Rules/B.swift" "$log"
    cp setup parlor run fuzz test lib.sh "$root/Tools"
    cd "$world"
    find "$root" -exec touch -t 200101010000 {} +
    tools="bash env dirname readlink find mkdir mv rm cat chmod cp ls wc sed grep tail mktemp getconf"
    for tool in $tools cut head sleep tr uname; do
      ln -s "$(command -v "$tool")" "$bin/$tool"
    done
    fake() {
      { printf '#!/usr/bin/env bash\necho "%s $*" >>"$log"\n' "$1"; cat; } >"$bin/$1"
      chmod +x "$bin/$1"
    }
    run() { PATH=$bin "$@"; }
    age_stamp() { touch -t 200201010000 "$root/.build/parlor-program.stamp"; }

    fake swift <<'END'
    if [[ $1 == --version ]]; then echo "Swift version ${swift_version:-6.3.1} (pretended)" && exit; fi
    cat >/dev/null
    echo "Compiling"
    if [[ -n ${broken:-} ]]; then echo "A.swift:1: error: broken" && exit 1; fi
    mkdir -p .build/release
    printf '#!/usr/bin/env bash\nprintf "<%%s>" "$@"; echo " in ${PWD##*/}"; cat\n' >.build/release/parlor
    chmod +x .build/release/parlor
    END
    fake dpkg-query <<'END'
    for package in "${@:4}"; do
      if [[ -e $installed/$package ]]; then echo "$package installed"; else status=1; fi
    done
    exit "${status:-0}"
    END
    fake apt-get <<'END'
    if [[ -n ${offline:-} ]]; then echo "no network" >&2; exit 100; fi
    if [[ " $* " == *" install "* ]]; then
      for argument in "$@"; do [[ $argument != lib* && $argument != python3-* ]] || : >"$installed/$argument"; done
    fi
    END
    fake sudo <<'END'
    exec "$@"
    END
    : >"$installed/liblmdb-dev"
    : >"$installed/libsodium-dev"
    : >"$installed/libuv1-dev"
    : >"$installed/libavahi-core-dev"
    : >"$installed/libwebsockets-dev"
    : >"$installed/libssl-dev"
    : >"$installed/libjansson-dev"
    : >"$installed/libqrencode-dev"
    : >"$installed/zlib1g-dev"
    : >"$installed/python3-websockets"
    : >"$installed/python3-nacl"
    : >"$installed/nodejs"
    : >"$installed/strace"
    : >"$installed/openssl"
    : >"$installed/iproute2"
    : >"$installed/groff-base"
    for package in zsh fish tmux; do : >"$installed/$package"; done
    : >"$installed/chromium"
    for package in nats-server libnats3.4; do : >"$installed/$package"; done
    """#
}
