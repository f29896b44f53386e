# Shared by the scripts in Tools; sourced, never run.

# Exit codes of sysexits.h.
readonly EX_USAGE=64 EX_UNAVAILABLE=69 EX_SOFTWARE=70 EX_CANTCREAT=73 EX_NOPERM=77

root=$(dirname -- "$tools")
build="$root/.build"
# The program that Tools/parlor runs and the end-to-end tests test.
program="$build/release/parlor"
# Its time is when the last good build of the program began.
program_stamp="$build/parlor-program.stamp"
# Names the toolchain that setup last found new enough; a failed build removes it.
toolchain_stamp="$build/parlor-toolchain.stamp"
# What decides the program: a change of any of these, folders included, means a build.
program_sources=("$root/Package.swift" "$root/Sources" "$root/Bots" "$root/Tools/CLI" "$root/Tools/lib.sh")

# say WORDS: one line to standard error, so that standard output belongs to the program.
say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# fail CODE WORDS: says what is wrong and exits with the code.
fail() {
  local code=$1
  shift
  say "$*"
  exit "$code"
}

# How everything optimized is built: across modules, and so that tests see what is internal. The program, its tests at
# full size and the programs beside it share what is compiled.
release=(-c release -Xswiftc -cross-module-optimization -Xswiftc -enable-testing)

# compile PRODUCT: builds a program; Package.swift says what PARLOR_STATIC means.
compile() { PARLOR_STATIC=1 swift build "${release[@]}" --product "$1" </dev/null; }

# Whether the program is missing or older than its sources; starts one process and reads no file.
program_is_stale() {
  [[ -x $program && -e $program_stamp ]] || return 0
  [[ -n $(find "${program_sources[@]}" -newer "$program_stamp" -print 2>&1) ]]
}

# Builds the program, all output to standard error; SwiftPM's own lock makes two at once take turns.
# The time of the stamp is taken before the build, so an edit during the build counts as newer than it.
compile_program() (
  started="$build/parlor-program.$$"
  if ! { mkdir -p -- "$build" && : >"$started"; } 2>/dev/null; then
    fail $EX_CANTCREAT "cannot write to $build, and the program is not built there"
  fi
  trap 'rm -f -- "$started"' EXIT
  cd -- "$root" || exit $EX_SOFTWARE
  if ! compile parlor >&2; then
    rm -f -- "$toolchain_stamp"
    fail $EX_SOFTWARE "the build failed; the compiler's words are above"
  fi
  mv -f -- "$started" "$program_stamp"
)

# Whether the program is there and its folder refuses new files, as in a checkout that is mounted read-only.
program_is_fixed() { [[ -x $program && ! -w $build ]]; }

# missing_packages PACKAGE…: those that Debian's database does not list as installed.
missing_packages() {
  local installed package
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || :)
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || printf '%s\n' "$package"
  done
}

# install_packages PACKAGE…: with apt-get, as root or through sudo; words on failure.
install_packages() {
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail $EX_NOPERM "missing: $*; as root, run: apt-get install $*"
    as_root=(sudo)
  fi
  say "installing $* with apt-get${as_root:+, through sudo}"
  local get=(${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive)
  get+=(apt-get -q -o DPkg::Lock::Timeout=300)
  "${get[@]}" update </dev/null >&2 || say "apt-get update failed; going on with older lists"
  "${get[@]}" install -y --no-install-recommends "$@" </dev/null >&2 \
    || fail $EX_UNAVAILABLE "apt-get could not install $*; its words are above"
  local left
  left=$(missing_packages "$@")
  [[ -z $left ]] || fail $EX_UNAVAILABLE "apt-get said it was done, but these are not installed:" $left
}
