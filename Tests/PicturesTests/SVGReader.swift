import Foundation
import FoundationXML
import Testing

/// The elements and texts of a picture that is well-formed XML.
final class SVGReader: NSObject, XMLParserDelegate {
  private(set) var elements: [(name: String, attributes: [String: String])] = []
  private(set) var texts: [String] = []
  private var text = ""

  init(_ lines: [String]) throws {
    super.init()
    let parser = XMLParser(data: Data(lines.joined(separator: "\n").utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.append((name, attributes))
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if name == "text" { texts.append(text) }
  }

  func count(_ name: String, _ attribute: String, _ value: String) -> Int {
    elements.count { $0.name == name && $0.attributes[attribute] == value }
  }

  /// The edges of the bands of a chart, in their order.
  var bands: [String] {
    elements.filter { $0.name == "path" && $0.attributes["class"] == "band" }.compactMap {
      $0.attributes["d"]
    }
  }
}
