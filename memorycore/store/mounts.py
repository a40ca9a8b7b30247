"""Where a store may not lie: on file systems that several machines share."""

import os

from memorycore.errors import NetworkFileSystemError

NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb3 smbfs 9p ceph glusterfs fuse.glusterfs lustre fuse.sshfs fuse.s3fs "
    "fuse.rclone virtiofs vboxsf drvfs afs beegfs".split()
)


def refuse_network_file_system(path: str, mounts: str = "/proc/self/mounts") -> None:
    """Refuse a path on a network file system, by the kernel's mount table.

    Raises:
        NetworkFileSystemError: SQLite's log needs shared memory and real locks there.
    """
    try:
        with open(mounts, encoding="utf-8", errors="replace") as file:
            table = [line.split()[1:3] for line in file if line.count(" ") >= 2]
    except OSError:
        return  # no such table on this system: nothing can be known
    place = os.path.realpath(path)
    best, kind = "", ""
    for point, type_ in table:
        point = point.replace("\\040", " ")
        inside = place == point or place.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, type_
    if kind in NETWORK_FILE_SYSTEMS:
        raise NetworkFileSystemError(
            f"{path} lies on a network file system ({kind}).",
            why="its log is held together by memory that several machines do not share",
            hint="keep the store on a local disk: --db FILE or MEMORYCORE_DB",
        )
