import Platform
import Terminal

/// The folder that holds this user's log and identity; nothing is ever written anywhere else unasked.
struct DataFolder: Sendable {
  /// The folder's path.
  let path: String

  /// The same, safe to show.
  var shown: String { SafeText(path).text }

  /// Where the event log lies.
  var log: String { path + "/log" }

  /// Finds the folder: `--data`, else `PARLOR_HOME`, else `parlor` in `XDG_DATA_HOME` (XDG Base Directory
  /// Specification 0.8), else `.local/share/parlor` in the home folder. Nothing is created.
  init(option: String?, environment: (String) throws(Failure) -> String?) throws(Failure) {
    func folder(_ name: String) throws(Failure) -> String? {
      let path = try environment(name)
      return path?.isEmpty == false ? path : nil
    }
    if let option {
      path = option
    } else if let named = try folder("PARLOR_HOME") {
      path = named
    } else if let data = try folder("XDG_DATA_HOME"), data.hasPrefix("/") {
      // The specification has relative paths ignored.
      path = data + "/parlor"
    } else if let home = try folder("HOME") {
      guard home.hasPrefix("/") else {
        throw Failure(
          .configuration, "HOME is no absolute path: “\(home)”",
          hint: "name a folder with `--data DIR` or PARLOR_HOME")
      }
      path = home + "/.local/share/parlor"
    } else {
      throw Failure(
        .configuration, "there is no folder for data: HOME is not set",
        hint: "name one with `--data DIR` or PARLOR_HOME")
    }
  }

  private init(path: String) { self.path = path }

  /// A folder inside this one.
  func inside(_ names: [String]) -> DataFolder { DataFolder(path: ([path] + names).joined(separator: "/")) }

  /// Refuses a path at which something other than a folder is; that nothing is there is no fault.
  func check() throws(Failure) {
    guard FileSystem.exists(path), !FileSystem.isFolder(path) else { return }
    throw Failure(
      .noInput, "\(shown) is not a folder",
      hint: "name another one with `--data DIR` or PARLOR_HOME")
  }

  /// Refuses to write a file into this folder, which holds what the program keeps and nothing else.
  func checkOutside(_ output: String) throws(Failure) {
    let file = output.hasPrefix("/") ? output : "./" + output
    let folder = FileSystem.parent(of: file)
    let (own, place): (String, String)
    do throws(SystemError) {
      (own, place) = (try FileSystem.resolve(path), try FileSystem.resolve(folder))
    } catch {
      // What cannot be resolved is not there, and so is not this folder.
      return
    }
    guard (place + "/").hasPrefix(own + "/") else { return }
    throw Failure(
      .cannotCreate,
      "cannot create \(SafeText(output).text): it would lie in the data folder, where parlor alone keeps files",
      hint: "name a file outside \(shown)")
  }

  /// Creates the folder, for this user alone, when it is absent.
  func create() throws(FileError) {
    do throws(SystemError) { try FileSystem.makePrivateFolder(path) } catch {
      throw FileError(.creating, error)
    }
  }
}
