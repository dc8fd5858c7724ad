#!/bin/sh
# Makes a Debian machine, a Raspberry Pi above all, a table that starts by itself.
#   sh install.sh --dry-run        prints what it would do, and does nothing
#   sh install.sh                  asks before its first change; run again, it changes what is missing
# Recipe: docs/recipes/install.md. DESTDIR=folder writes below that folder, as packagers do.
set -eu

usage() {
  cat <<'END'
install.sh [install|update|uninstall] [OPTIONS]
  install             (default) set up what is missing, and start the table now and with the machine
  update [--back]     fetch the source again and change to it; go back by itself where it doesn't start
  uninstall           remove all but the games
  --source WHERE      a wheel (file or https address), a folder, or a git address (https, ssh);
                      default: the folder that this script lies in, or the source of the last time
  --sha256 SUM        the wheel's checksum; with it a wheel may come by http
  --insecure          take a source that somebody on the way could have changed, or whose signature
                      is not that of the first time
  --camera SOURCE     the camera, as for tablescore run; another one is chosen on the page
  --data FOLDER       the games are in FOLDER/tablescore; default /var/lib
  --user NAME         who runs the table; default: who calls this script
  --restore FILE      begin with the games of this backup, or with a copied folder of games
  --backup FOLDER     back up into FOLDER each day, and keep the newest 14
  --hub               run the hub of an event, too
  --hotspot NAME      a Wi-Fi of its own where no known one is; --password WORD, else one is made up
  --kiosk PAGE        show a page on this machine's screen: / is the table, /tv the big screen
  --read-only         never write to the card again, only to --data, on another disk or stick
  --dry-run           print every command instead
  --yes               don't ask
END
}

say() { printf '%s\n' "$*"; }
die() { printf 'tablescore: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

confirm() {
  [ -z "$yes" ] || return 0
  # The script itself may come in through a pipe: the answer comes from the terminal.
  { true </dev/tty; } 2>/dev/null || die "there is no terminal to ask on: add --yes, or look first with --dry-run."
  printf 'This will %s. --dry-run shows each step.\nGo on? [y/N] ' "$purpose" >/dev/tty
  read -r answer </dev/tty
  case $answer in [yY]*) yes=yes ;; *) die "nothing was changed." ;; esac
}

run() { # COMMAND...: as the caller
  if [ -n "$dry_run" ]; then say "+ $*" && return; fi
  confirm
  "$@"
}

# COMMAND...: as root
system() { run ${sudo:+sudo} "$@"; }

# COMMAND...: as root, and changes nothing
look() { if [ -n "$dry_run" ]; then "$@"; else ${sudo:+sudo} "$@"; fi 2>/dev/null; }

put() { # MODE FILE: what is in $work/put is in FILE afterwards; true where that was new
  if look cmp -s "$work/put" "$root$2"; then return 1; fi
  [ -z "$dry_run" ] || sed 's/^/| /' "$work/put"
  system install -D -m "$1" "$work/put" "$root$2" || die "$2 can't be written."
}

fill() { # TEMPLATE: into $work/put, with what stands for @...@
  sed -e "s|@HOME@|$home|g;s|@DATA@|$data|g;s|@USER@|$user|g;s|@GROUPS@|$groups|g" \
    -e "s|@BACKUPS@|$backup|g;s|@PAGE@|$kiosk|g;s|@SSID@|$hotspot|g;s|@PASSWORD@|$password|g" \
    -e "s|@CALLED@|${called:-}|g;s|@COMMAND@|${command:-}|g" "$files/hardware/appliance/$1" >"$work/put"
}

look_around() {
  [ -n "$dry_run" ] || has systemctl || die "there is no systemd here: start the table with 'tablescore run' (docs/tutorial.md)."
  has apt-get || die "this is no Debian: use pipx or make run instead (README.md)."
  case $(uname -m) in aarch64 | x86_64) ;; *) die "$(uname -m) is too small: Tablescore needs a 64-bit system." ;; esac
  release=$(sed -n 's/^VERSION_ID="\{0,1\}\([0-9]*\).*/\1/p' /etc/os-release)
  [ "${release:-99}" -ge 12 ] || die "Debian $release is too old: take 13 (12 for webcams only)."
  packages="python3 python3-venv" see_system=
  case $source in
    http*.whl) openers="python3 curl" packages="$packages curl" ;;
    *.whl) openers=python3 ;;
    *://* | git@* | *.git) openers=git packages="$packages git" ;;
    *) openers= ;;
  esac
  for opener in $openers; do # a dry run installs nothing
    [ -z "$dry_run" ] || has "$opener" || die "$opener comes first (sudo apt install $opener): then --dry-run shows the rest."
  done
  [ -z "$hotspot" ] || packages="$packages network-manager dnsmasq-base"
  [ -z "$kiosk" ] || packages="$packages cage chromium"
  grep -qs 'Raspberry Pi' /proc/device-tree/model || return 0
  if [ "${release:-99}" -lt 13 ]; then
    say "Note: on Debian 12 the Pi's own camera and pins can't be used (their packages break beside a newer numpy);
webcams, phones and the buttons on the page can. For all of it take Raspberry Pi OS on Debian 13."
  elif grep -rqs archive.raspberrypi /etc/apt; then
    packages="$packages python3-picamera2 python3-lgpio python3-evdev" see_system=--system-site-packages
    camera=${camera:-picamera}
  else
    say "Note: this Pi runs plain Debian. What its own camera, buttons and lamps take (python3-picamera2, python3-lgpio)
is only in Raspberry Pi's own archive, of Raspberry Pi OS. Here: webcams, phones, the buttons on the page."
  fi
}

install_packages() { # those of $packages that are missing
  missing=
  for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  system apt-get update -q
  # shellcheck disable=SC2086 # several packages
  system apt-get install -q -y --no-install-recommends $missing
}

require_safe() { # nobody on the way to $source can change it
  case $source in
    https://* | ssh://* | file://*) ;;
    *://*) [ -n "$insecure$sha256" ] || die "$source could be changed on its way: take an https or ssh address, a wheel with --sha256, or add --insecure." ;;
  esac
}

signer() { # the key that signed the tag of the files; nothing where none did
  has git || return 0
  tag=$(git -C "$files" describe --exact-match 2>/dev/null) || return 0
  # A GPG key has to be known to this machine; one of SSH comes with its signature.
  git -C "$files" -c gpg.ssh.allowedSignersFile=/dev/null verify-tag --raw "$tag" 2>&1 |
    sed -n 's/.*VALIDSIG.* \([0-9A-F]*\)$/\1/p;s/^Good "git" signature.* key \(SHA256:[^ ]*\).*/\1/p' | head -n 1
}

require_signer() { # what was signed the first time stays signed, by the same key
  now=$(signer)
  [ -z "$key" ] || [ "$now" = "$key" ] || [ -n "$insecure" ] ||
    die "$source is not signed by the key of the first time ($key): find out why. --insecure takes it all the same."
  [ -z "$now" ] || key=$now
}

fetch() { # $source: afterwards the files are in $files, and pip takes $takes
  files=$work/source takes=$work/source
  require_safe
  case $source in
    *.whl)
      takes=$work/$(basename "$source")
      case $source in
        http:* | https:*) curl -fsSL --proto-redir "$redirects" -o "$takes" "$source" || die "$source can't be fetched: check the address and the network." ;;
        *)
          cp "$source" "$takes" || die "the wheel $source can't be read."
          source=$(realpath "$source")
          ;;
      esac
      [ -z "$sha256" ] || printf '%s  %s\n' "$sha256" "$takes" | sha256sum --quiet -c - ||
        die "the wheel is not the one with that checksum: nothing was changed."
      python3 -m zipfile -e "$takes" "$files" || die "$source is no wheel."
      ;;
    *://* | git@* | *.git)
      git clone -q --depth 1 "$source" "$files" || die "$source can't be cloned: check the address and the network."
      ;;
    *)
      files=$(cd "$source" 2>/dev/null && pwd) || die "there is no folder $source."
      takes=$files source=$files
      ;;
  esac
  [ -f "$files/hardware/appliance/tablescore.service" ] || die "$source holds no Tablescore."
  require_signer
  # A version is known by what is in it: the same files are never set up twice.
  version=$(cd "$files" && find -L scoreboard vision hardware web models -name __pycache__ -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-12)
  version=$version${see_system:+-pi}${hub:+-hub}
}

broken() { # MESSAGE: half a version keeps no room
  system rm -rf "$new" "$new.part"
  die "$1"
}

room() { # MB that are free where versions lie
  free=$(df -Pk "$root$home" "$root/" 2>/dev/null | awk 'NR == 2 { print $4 }')
  echo $((${free:-1024000} / 1024))
}

find_base() { # the version in use, where the new one can begin as a copy of it
  base=$(readlink "$root$home/current" 2>/dev/null || true)
  base=${base#versions/}
  library=lib/python$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
  # The same kind (-pi, -hub), and made by this Python: Debian may have got a newer one since
  [ "${base#????????????}" = "${version#????????????}" ] && [ -d "$root$home/versions/$base/$library" ] || base=
}

needs() { # FOLDER: what the wheel that was unpacked there asks for
  grep -h '^Requires-Dist' "$1"/tablescore-*.dist-info/METADATA 2>/dev/null | sort
}

build() { # makes versions/$version, and tries it out
  new=$root$home/versions/$version
  [ ! -x "$new/ready" ] || return 0
  for each in "$root$home"/versions/*; do # a try that was killed left half a version
    case $each in *.part) system rm -rf "$each" && continue ;; esac
    [ ! -d "$each" ] || [ -x "$each/ready" ] || system rm -rf "$each"
  done
  find_base
  needed=500
  [ -z "$base" ] || needed=100
  [ "$(room)" -ge $needed ] || die "a version takes $needed MB, and there are $(room): make room, and run this again."
  if [ -n "$base" ]; then
    # Linked, so that only what changed is fetched and written; pip never writes into a file that is there.
    system cp -al "$root$home/versions/$base" "$new.part" || broken "the new version can't be set up: look at the lines above."
    system rm -f "$new.part/ready" # before it is the new version by name
    system mv -T "$new.part" "$new"
    for each in $(look grep -rlI "versions/$base/" "$new/bin" "$new/pyvenv.cfg"); do
      system sed -i "s|versions/$base/|versions/$version/|g" "$each" # makes another file, too
    done
    system "$new/bin/python" -m pip uninstall --quiet --yes --disable-pip-version-check tablescore
  else
    # shellcheck disable=SC2086 # nothing or one option
    system python3 -m venv $see_system "$new" || broken "the new version can't be set up: look at the lines above."
  fi
  # A wheel that needs what is there needs no index: pip would ask one for each package that is pinned.
  pins=hardware/appliance/constraints.txt held=$root$home/versions/$base/$library/site-packages less=
  if [ -n "$base" ] && cmp -s "$files/$pins" "$held/$pins" && [ -n "$(needs "$files")" ] &&
    [ "$(needs "$files")" = "$(needs "$held")" ]; then less="--no-index --no-deps"; fi
  # shellcheck disable=SC2086 # options
  if ! system "$new/bin/python" -m pip install --disable-pip-version-check $less --constraint "$files/$pins" "$takes${hub:+[hub]}"; then
    [ "$(room)" -ge 20 ] || broken "the disk is full: make room, and run this again."
    broken "the new version can't be set up: look at the lines above, check the network, and run this again."
  fi
  system sh "$files/hardware/appliance/slim" "$new" ||
    say "Note: the new version couldn't be made smaller; it takes 500 MB."
  # A picture is read: so the libraries for it, and the readers, are whole on this machine.
  run "$new/bin/tablescore" --version || broken "the new version doesn't start here; nothing was changed to it."
  run "$new/bin/tablescore" read "$files/hardware/cameras/demo_evening/turn00/throw0/06.webp" ||
    broken "the new version can't read a picture here; nothing was changed to it."
  system install -m 755 /dev/null "$new/ready"
}

point() { # NAME VERSION: the link NAME leads to that version from one moment to the next
  system ln -sfn "versions/$2" "$root$home/$1.new"
  system mv -fT "$root$home/$1.new" "$root$home/$1"
}

restart() {
  # With Type=notify this waits until the table is ready, or says that it is not.
  system systemctl restart tablescore || return 1
  [ ! -e "$root/etc/systemd/system/tablescore-hub.service" ] || system systemctl try-restart tablescore-hub
}

on_games() { # VERSION ARGUMENTS...: a command of that version on the table's own games
  tool=$root$home/versions/$1/bin/tablescore
  shift
  set -- env "XDG_DATA_HOME=$root$data" "TABLESCORE_SETTINGS=$root$data/tablescore/settings.toml" "$tool" "$@"
  if [ "$(id -un)" = "$user" ]; then run "$@"; else system runuser -u "$user" -- "$@"; fi
}

change() { # to $version; back where it does not start
  old=$(readlink "$root$home/current" 2>/dev/null || true)
  old=${old#versions/}
  if [ "$old" = "$version" ]; then
    { [ -z "$restarting" ] && systemctl -q is-active tablescore 2>/dev/null; } || restart ||
      die "the table doesn't start: journalctl -u tablescore says why."
    return 0
  fi
  kept=$root$data/tablescore/before-update.sqlite3
  if [ -n "$old" ] && [ -f "$root$data/tablescore/games.sqlite3" ]; then
    system rm -f "$kept"
    (umask 077 && on_games "$old" backup "$kept") # an older version leaves the rights to others
  fi
  point current "$version"
  if restart; then
    [ -z "$old" ] || point previous "$old"
    for each in "$root$home"/versions/*; do
      case ${each##*/} in "$version" | "$old" | '*') ;; *) system rm -rf "$each" ;; esac
    done
    return 0
  fi
  [ -n "$old" ] || die "the table doesn't start: journalctl -u tablescore says why."
  point current "$old"
  version=$old && lay_out_again
  # A newer version may have brought the database up to date, which the older one refuses.
  [ ! -f "$kept" ] || on_games "$old" games >/dev/null || on_games "$old" restore "$kept"
  restart || die "neither the new version nor the one before starts: journalctl -u tablescore says why."
  die "the new version didn't start, and the one before runs again: journalctl -u tablescore says why."
}

unit() { # NAME [TEMPLATE]: is there, and starts with the machine if it can
  fill "${2:-$1}"
  if put 644 "/etc/systemd/system/$1"; then system systemctl daemon-reload; restarting=yes; fi
  grep -q '^WantedBy' "$work/put" || return 0
  systemctl -q is-enabled "$1" 2>/dev/null || system systemctl enable "$1"
  wanted="$wanted $1"
}

lay_out() { # this script, the command and the units, as the version in $files has them
  cmp -s "$files/hardware/appliance/install.sh" "$root$home/install.sh" ||
    system install -m 755 "$files/hardware/appliance/install.sh" "$root$home"
  cat >"$work/put" <<END
#!/bin/sh
# Tablescore with the games and the settings of the service.
export XDG_DATA_HOME=$data TABLESCORE_SETTINGS=$data/tablescore/settings.toml
case \${1:-} in update | uninstall) exec sh $home/install.sh "\$@" ;; esac
[ "\$(id -un)" = "$user" ] && exec $home/current/bin/tablescore "\$@"
[ "\$(id -u)" = 0 ] && exec runuser -u "$user" -- $home/current/bin/tablescore "\$@"
echo "tablescore: the table runs as $user: use sudo tablescore." >&2
exit 1
END
  put 755 /usr/local/bin/tablescore || true
  groups=$(getent group gpio video audio input i2c spi | cut -d : -f 1 | tr '\n' ' ') # those that are there
  wanted='' called="the table" command=run
  unit tablescore.service
  if [ -n "$hub" ]; then
    called="the hub of an event" command="hub --host 0.0.0.0"
    unit tablescore-hub.service tablescore.service
  fi
  if [ -n "$backup" ]; then
    unit tablescore-backup.service
    unit tablescore-backup.timer
  fi
  [ -z "$kiosk" ] || unit tablescore-kiosk.service
}

lay_out_again() { # as $version, which is there, has them
  files=$(echo "$root$home/versions/$version"/lib/python3*/site-packages)
  lay_out
}

own_wifi() {
  keyfile=/etc/NetworkManager/system-connections/tablescore-hotspot.nmconnection
  # Where none was given: the one that it has, else one that is easy to type
  password=${password:-$(look sed -n 's/^psk=//p' "$root$keyfile" || true)}
  password=${password:-$(LC_ALL=C tr -dc 'a-hjkmnp-z2-9' </dev/urandom | head -c 10)}
  [ ${#password} -ge 8 ] || die "a Wi-Fi's password has at least 8 characters."
  fill hotspot.nmconnection
  if put 600 "$keyfile"; then system nmcli connection reload; fi
  unit tablescore-hotspot.service
  say "Wi-Fi $hotspot, password $password: the table is $(page 10.42.0.1) there."
}

protect_card() {
  has raspi-config || die "--read-only takes Raspberry Pi OS; elsewhere install the package overlayroot and see its overlayroot.conf."
  [ "$(stat -c %d "$root$data" 2>/dev/null)" != "$(stat -c %d "$root/")" ] ||
    die "the games would be lost at each start: put them on another disk or stick first (--data)."
  [ "$(raspi-config nonint get_overlay_now)" = 0 ] || system raspi-config nonint do_overlayfs 0
  say "After the next start nothing is written to the card. To change something: sudo raspi-config nonint do_overlayfs 1, and restart."
}

page() { # HOST: the running table's address there; its settings may name another port
  noted=$(look sed -n 's|.*"address": *"\([a-z]*\)://[^"/]*:\([0-9]*\)/".*|\1 \2|p' "$root$data"/tablescore/games.running.json || true)
  # shellcheck disable=SC2086 # two words, or none
  set -- "$1" ${noted:-http 8000}
  echo "$2://$1:$3"
}

set_up() {
  ! grep -qs overlayroot=tmpfs /proc/cmdline ||
    die "the card is read-only now: sudo raspi-config nonint do_overlayfs 1, restart, and come back."
  [ -z "$restore" ] || look test -f "$restore" || look test -e "$restore/games.sqlite3" ||
    die "there is no backup $restore: name the file itself, or a folder with games.sqlite3 in it."
  look_around
  install_packages
  fetch
  getent passwd "$user" >/dev/null ||
    system useradd --system --home-dir "$data/tablescore" --shell /usr/sbin/nologin "$user"
  [ -d "$root$data/tablescore" ] || system install -d -m 750 -o "$user" "$root$data/tablescore"
  if look test -d "$restore"; then
    ! look test -e "$root$data/tablescore/games.sqlite3" ||
      die "there are games in $data/tablescore already: move them away, or name one backup file of $restore."
    system cp -R "$restore/." "$root$data/tablescore"
    restore=
  fi
  strangers=$(look find "$root$data/tablescore" ! -user "$user" -print -quit || true)
  if [ -n "$strangers" ]; then # copied here from another card
    system chown -R "$user" "$root$data/tablescore"
    system chmod -R u+rwX "$root$data/tablescore"
  fi
  if ! look test -f "$root$data/tablescore/settings.toml"; then
    cat >"$work/put" <<END
# Settings of this table; settings.sample.toml explains every key. Then: sudo systemctl restart tablescore
[page]
host = "0.0.0.0"
END
    put 644 "$data/tablescore/settings.toml"
    system chown "$user" "$root$data/tablescore/settings.toml"
    asked=${asked:-${camera:-webcam:0}}
  fi
  if [ -n "$asked" ]; then
    printf '# Another one can be chosen on /camera-setup.\n[camera]\nsource = "%s"\n' "$asked" >"$work/put"
    if put 600 "$data/tablescore/camera.toml"; then
      system chown "$user" "$root$data/tablescore/camera.toml"
      restarting=yes
    fi
  fi
  build
  if [ -n "$backup" ] && [ "$(look stat -c %U "$root$backup" || true)" != "$user" ]; then
    system install -d -m 750 -o "$user" "$root$backup" || say "Note: $backup can't be given to $user: mount it so that it can write there."
  fi
  lay_out
  if [ -n "$restore" ]; then
    system systemctl stop tablescore
    # The backup may be another user's, of another card.
    system install -m 600 -o "$user" "$restore" "$root$data/tablescore/restoring.sqlite3"
    on_games "$version" restore "$root$data/tablescore/restoring.sqlite3"
    system rm -f "$root$data/tablescore/restoring.sqlite3"
    restarting=yes
  fi
  change
  [ -z "$hotspot" ] || own_wifi # which tells the running table's port
  say "source='$source' user='$user' data='$data' hub='$hub' backup='$backup' kiosk='$kiosk' hotspot='$hotspot' key='$key'" >"$work/put"
  put 644 "$home/choices" || true
  for each in $wanted; do systemctl -q is-active "$each" 2>/dev/null || system systemctl start "$each"; done
  [ -z "$read_only" ] || protect_card
  say "The table: $(page "$(hostname).local") (or by this machine's address), now and after each start."
  say "To let a phone in, open that page on it, tap Ask to play, and look here: journalctl -u tablescore -o cat -f"
}

update() {
  if [ -n "$back" ]; then
    version=$(readlink "$root$home/previous" 2>/dev/null) || die "there is no version before this one."
    version=${version#versions/}
    lay_out_again
    change
    return 0
  fi
  if [ -d "$source/.git" ] && [ -n "$(git -C "$source" remote)" ]; then run git -C "$source" pull -q --ff-only; fi
  set_up
}

uninstall() {
  purpose="remove Tablescore from this machine, and leave the games in $data/tablescore"
  for file in "$root"/etc/systemd/system/tablescore*.service "$root"/etc/systemd/system/tablescore*.timer; do
    [ -e "$file" ] || continue
    system systemctl disable --now "${file##*/}"
    system rm -f "$file"
  done
  system systemctl daemon-reload
  system rm -rf "$root$home" "$root/usr/local/bin/tablescore" \
    "$root/etc/NetworkManager/system-connections/tablescore-hotspot.nmconnection"
  say "Tablescore is gone. The games and settings are still in $data/tablescore; packages and the user $user stay, too."
}

main() {
  root=${DESTDIR:-} home=/opt/tablescore
  source='' user=${SUDO_USER:-$(id -un)} data=/var/lib hub='' backup='' kiosk='' hotspot='' key=''
  [ "$user" != root ] || user=tablescore
  # shellcheck source=/dev/null # the choices of the last time
  [ ! -f "$root$home/choices" ] || . "$root$home/choices"
  case $0 in *install.sh) here=$(cd "$(dirname "$0")" && pwd) ;; *) here= ;; esac
  [ -n "$source" ] || [ ! -f "$here/pyproject.toml" ] || source=$here
  act=set_up camera='' restore='' password='' read_only='' sha256='' insecure=''
  back='' dry_run='' yes='' restarting='' given='' sudo=sudo
  [ "$(id -u)" != 0 ] || sudo=
  purpose="set up Tablescore in /opt/tablescore, with its Debian packages, and start it with the machine"
  while [ $# -gt 0 ]; do
    case $1 in
      install) act=set_up ;;
      update | uninstall) act=$1 ;;
      --source | --sha256 | --camera | --data | --user | --restore | --backup | --hotspot | --password | --kiosk)
        [ $# -gt 1 ] || die "$1 takes a value; --help shows all."
        case $2 in *[\'\"\|\\\&]*) die "$1 with a ' \" | \\ or & is more than this script can do." ;; esac
        eval "${1#--}=\$2"
        case $1 in --user | --data) ;; *) given=$1 ;; esac
        shift
        ;;
      --hub | --back | --read-only | --insecure | --dry-run | --yes) eval "$(printf %s "${1#--}" | tr - _)=yes" ;;
      -h | --help) usage && exit 0 ;;
      *) die "there is no option $1; --help shows all." ;;
    esac
    shift
  done
  asked=$camera
  [ -z "$password" ] || [ -n "$hotspot" ] || die "--password is the one of --hotspot: name that, too."
  [ -z "$sha256" ] || case $source in *.whl) ;; *) die "--sha256 is a wheel's: leave it out for $source." ;; esac
  [ -z "$back" ] || [ "$act" = update ] || die "--back goes with update: install.sh update --back."
  [ "$act$back" = set_up ] || [ "$act$back" = update ] || [ -z "$given" ] ||
    die "$given has no effect there: leave it out, or call install.sh with it afterwards."
  [ -n "$source" ] || [ "$act" = uninstall ] || [ -n "$back" ] ||
    die "say where Tablescore is: --source with a wheel, a folder or a git address (it has no public address)."
  redirects='=https,http'
  [ -n "$insecure$sha256" ] || redirects='=https'
  [ -n "$insecure" ] || export GIT_ALLOW_PROTOCOL=https:ssh:file
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  "$act"
}

# At the end, so that a script of which only a part came does nothing.
main "$@"
