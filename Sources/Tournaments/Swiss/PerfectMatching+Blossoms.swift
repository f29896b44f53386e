extension PerfectMatching {
  /// Joins the cycle that an edge between two even nodes closes into one even blossom.
  mutating func shrink(_ first: Int, _ second: Int) {
    let fork = fork(top[first], top[second])
    var children = [fork]
    var links: [(from: Int, to: Int)] = []
    for step in climb(from: first, to: fork).reversed() {
      links.append((step.link.to, step.link.from))
      children.append(step.node)
    }
    links.append((first, second))
    for step in climb(from: second, to: fork) {
      children.append(step.node)
      links.append(step.link)
    }
    let node = newNode(base: nodes[fork].base)
    for child in children {
      nodes[child].parent = node
      nodes[node].members += nodes[child].members
    }
    nodes[node].children = children
    nodes[node].links = links
    label[node] = .even
    for vertex in nodes[node].members { top[vertex] = node }
    for child in children where label[child] == .odd {
      for vertex in nodes[child].members { look(from: vertex) }
    }
  }

  /// The nodes from a vertex's up to the fork, the fork left out, each with its edge upwards.
  private func climb(from vertex: Int, to fork: Int) -> [(node: Int, link: (from: Int, to: Int))] {
    var steps: [(node: Int, link: (from: Int, to: Int))] = []
    var node = top[vertex]
    while node != fork {
      let base = nodes[node].base
      steps.append((node, (base, mate[base])))
      let odd = top[mate[base]]
      let (from, into) = entry[odd]
      steps.append((odd, (into, from)))
      node = top[from]
    }
    return steps
  }

  /// The nearest even node that is on both paths to the root.
  private func fork(_ first: Int, _ second: Int) -> Int {
    var seen = Set<Int>()
    var (one, other) = (first, second)
    while true {
      if one >= 0 {
        if !seen.insert(one).inserted { return one }
        one = above(one)
      }
      if other >= 0 {
        if !seen.insert(other).inserted { return other }
        other = above(other)
      }
    }
  }

  private func above(_ node: Int) -> Int {
    let out = mate[nodes[node].base]
    return out < 0 ? -1 : top[entry[top[out]].from]
  }

  private mutating func newNode(base: Int) -> Int {
    let made = Node(base: base, members: [])
    guard let node = free.popLast() else {
      nodes.append(made)
      label.append(.outside)
      entry.append((-1, -1))
      live.append(nodes.count - 1)
      return nodes.count - 1
    }
    nodes[node] = made
    live.append(node)
    return node
  }

  /// Puts a blossom's children in its place.
  private mutating func open(_ node: Int) {
    for child in nodes[node].children {
      nodes[child].parent = -1
      label[child] = .outside
      for vertex in nodes[child].members { top[vertex] = child }
    }
    nodes[node].children = []
    nodes[node].links = []
    live.removeAll { $0 == node }
    free.append(node)
  }

  /// Opens an odd blossom whose dual is used up; the part of its cycle that the tree goes through stays in it.
  mutating func expandOdd(_ node: Int) {
    let children = nodes[node].children
    let links = nodes[node].links
    let (from, into) = entry[node]
    open(node)
    guard var place = children.firstIndex(of: top[into]) else { return }
    label[children[place]] = .odd
    entry[children[place]] = (from, into)
    let goesDown = place.isMultiple(of: 2)
    var evens: [Int] = []
    while place != 0 {
      let even = goesDown ? place - 1 : (place + 1) % children.count
      let odd = goesDown ? place - 2 : (place + 2) % children.count
      label[children[even]] = .even
      evens.append(children[even])
      label[children[odd]] = .odd
      entry[children[odd]] =
        goesDown ? (links[odd].to, links[odd].from) : (links[even].from, links[even].to)
      place = odd
    }
    for even in evens { for vertex in nodes[even].members { look(from: vertex) } }
  }

  /// Opens the blossoms that have no dual left, after a search.
  mutating func expandEmpty() {
    while let node = live.first(where: { nodes[$0].parent < 0 && nodes[$0].dual == .zero }) { open(node) }
  }

  /// Opens every blossom around a vertex; the duals of the vertices take over theirs.
  mutating func dissolve(_ vertex: Int) {
    while top[vertex] != vertex { dissolveTop(top[vertex]) }
  }

  /// Opens every blossom.
  mutating func dissolveAll() {
    while let node = live.first(where: { nodes[$0].parent < 0 }) { dissolveTop(node) }
  }

  private mutating func dissolveTop(_ node: Int) {
    let half = nodes[node].dual.half
    if half != .zero {
      for member in nodes[node].members { dual[member] += half }
      part(nodes[node].base)
    }
    open(node)
  }
}
