extension PerfectMatching {
  /// Grows a tree until one more pair can be made.
  /// - Returns: whether it could.
  mutating func search(from root: Int) -> Bool {
    for vertex in active {
      best[vertex] = -1
      label[vertex] = .outside
    }
    for node in live { label[node] = .outside }
    moved = .zero
    tight.removeAll(keepingCapacity: true)
    makeEven(top[root])
    while true {
      while let (from, into) = tight.popLast() {
        if follow(from, into) { return true }
      }
      guard let distance = nextDistance() else { return false }
      if distance != .zero { moveDuals(by: distance) }
      if tight.isEmpty {
        for node in live where nodes[node].parent < 0 && label[node] == .odd && nodes[node].dual == .zero {
          expandOdd(node)
        }
      }
    }
  }

  /// Takes a tight edge from an even vertex into the tree.
  /// - Returns: whether that made one more pair.
  private mutating func follow(_ from: Int, _ into: Int) -> Bool {
    let node = top[into]
    switch label[node] {
    case .odd: return false
    case .even:
      if node != top[from] { shrink(from, into) }
      return false
    case .outside:
      let out = mate[nodes[node].base]
      guard out >= 0 else {
        augment(from: from, to: into)
        expandEmpty()
        return true
      }
      label[node] = .odd
      entry[node] = (from, into)
      makeEven(top[out])
      return false
    }
  }

  /// How far the duals move until an edge becomes tight, or an odd blossom has no dual left; the edges that do.
  private mutating func nextDistance() -> Weight? {
    var least: Weight?
    for node in live where nodes[node].parent < 0 && label[node] == .odd {
      let slack = nodes[node].dual.half
      if least.map({ slack < $0 }) ?? true { least = slack }
    }
    for vertex in active where best[vertex] >= 0 && label[top[vertex]] == .outside {
      least = meet(vertex, slack: key[vertex] - moved + dual[vertex], least)
    }
    for vertex in active where best[vertex] >= 0 && label[top[vertex]] == .even {
      if top[best[vertex]] == top[vertex] {
        let slack = (key[vertex] - moved + dual[vertex]).half
        if let least, least < slack { continue }
        findBest(of: vertex)
        guard best[vertex] >= 0 else { continue }
      }
      least = meet(vertex, slack: (key[vertex] - moved + dual[vertex]).half, least)
    }
    return least
  }

  /// Keeps the best edge of a vertex if none is nearer, and forgets those that are less near.
  @inline(__always)
  private mutating func meet(_ vertex: Int, slack: Weight, _ least: Weight?) -> Weight {
    if let least {
      if least < slack { return least }
      if slack < least { tight.removeAll(keepingCapacity: true) }
    }
    tight.append((best[vertex], vertex))
    return slack
  }

  private mutating func moveDuals(by distance: Weight) {
    for vertex in active {
      switch label[top[vertex]] {
      case .outside: continue
      case .even: dual[vertex] -= distance
      case .odd: dual[vertex] += distance
      }
    }
    for node in live where nodes[node].parent < 0 {
      switch label[node] {
      case .outside: continue
      case .even: nodes[node].dual += distance + distance
      case .odd: nodes[node].dual -= distance + distance
      }
    }
    moved += distance
  }

  private mutating func makeEven(_ node: Int) {
    label[node] = .even
    for vertex in nodes[node].members { look(from: vertex) }
  }

  /// Looks at the edges of a vertex that has become even.
  mutating func look(from vertex: Int) {
    let height = dual[vertex] + moved
    let row = vertex * count
    let own = top[vertex]
    for other in active where allowed[row + other] && top[other] != own {
      let value = height - weight(vertex, other)
      if best[other] < 0 || value < key[other] {
        best[other] = vertex
        key[other] = value
      } else if label[top[other]] != .even {
        continue
      }
      if label[top[other]] != .odd, value + dual[other] == moved { tight.append((vertex, other)) }
    }
  }

  /// Finds the best edge of an even vertex to another even node again.
  private mutating func findBest(of vertex: Int) {
    best[vertex] = -1
    let row = vertex * count
    let own = top[vertex]
    for other in active where allowed[row + other] && top[other] != own && label[top[other]] == .even {
      let value = dual[other] + moved - weight(vertex, other)
      if best[vertex] < 0 || value < key[vertex] {
        best[vertex] = other
        key[vertex] = value
      }
    }
  }

  /// Turns the matching over along the path from the root to a vertex without a mate.
  private mutating func augment(from start: Int, to end: Int) {
    turn(top[end], to: end)
    var (inner, outer) = (start, end)
    while true {
      let node = top[inner]
      let out = mate[nodes[node].base]
      turn(node, to: inner)
      join(inner, outer)
      guard out >= 0 else { return }
      let odd = top[out]
      let (from, into) = entry[odd]
      turn(odd, to: into)
      (inner, outer) = (from, into)
    }
  }

  /// Makes a vertex the base of its node, with the mates inside changed for it.
  private mutating func turn(_ node: Int, to vertex: Int) {
    guard node >= count, nodes[node].base != vertex else { return }
    var child = vertex
    while nodes[child].parent != node { child = nodes[child].parent }
    turn(child, to: vertex)
    let place = nodes[node].children.firstIndex(of: child) ?? 0
    nodes[node].children.rotate(by: place)
    nodes[node].links.rotate(by: place)
    nodes[node].base = vertex
    let children = nodes[node].children
    let links = nodes[node].links
    for index in stride(from: 1, to: children.count, by: 2) {
      let (from, to) = links[index]
      turn(children[index], to: from)
      turn(children[index + 1], to: to)
      join(from, to)
    }
  }
}

extension Array {
  /// Moves the first `places` elements to the end.
  fileprivate mutating func rotate(by places: Int) {
    guard places > 0 else { return }
    self = Array(self[places...] + self[..<places])
  }
}
